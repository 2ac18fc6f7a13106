// What a page must have, looked at from inside: language, title, headings, alternative texts, width, contrast.
(() => {
  const faults = [];
  const seen = (element) => element.checkVisibility({ opacityProperty: true, visibilityProperty: true });
  const fault = (what, element) => faults.push(element ? `${what}: ${element.outerHTML.slice(0, 120)}` : what);

  if (!document.documentElement.lang) fault("no language");
  if (!document.title) fault("no title");
  if (document.documentElement.scrollWidth > innerWidth) fault(`wider than the window: ${document.documentElement.scrollWidth}`);

  const levels = [...document.querySelectorAll("article :is(h1, h2, h3, h4, h5, h6)")].map((each) => Number(each.tagName[1]));
  if (levels.filter((level) => level === 1).length !== 1) fault("not exactly one heading of the first level");
  levels.forEach((level, index) => { if (index && level > levels[index - 1] + 1) fault(`a heading of level ${level} follows one of level ${levels[index - 1]}`); });

  for (const image of document.images) {
    if (!image.alt.trim()) fault("no alternative text", image);
    if (!image.complete || !image.naturalWidth) fault("no picture", image);
  }
  for (const picture of document.querySelectorAll("article svg[role=img]")) if (!picture.querySelector("title, desc")) fault("no title", picture);

  // https://www.w3.org/TR/WCAG21/#contrast-minimum
  const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  const once = (compute, known = new Map()) => (key) => known.has(key) ? known.get(key) : known.set(key, compute(key)).get(key);
  const rgba = once((color) => {
    canvas.clearRect(0, 0, 1, 1);
    canvas.fillStyle = color;
    canvas.fillRect(0, 0, 1, 1);
    const [red, green, blue, alpha] = canvas.getImageData(0, 0, 1, 1).data;
    return [red, green, blue, alpha / 255];
  });
  const over = (top, below) => [0, 1, 2].map((index) => top[index] * top[3] + below[index] * (1 - top[3]));
  const behind = once((element) => element
    ? over(rgba(getComputedStyle(element).backgroundColor), behind(element.parentElement))
    : [255, 255, 255]);
  const luminance = (color) => {
    const [red, green, blue] = color.map((part) => (part / 255 <= 0.04045 ? part / 255 / 12.92 : ((part / 255 + 0.055) / 1.055) ** 2.4));
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const pale = new Set();
  const texts = document.createTreeWalker(document.querySelector("article") ?? document.body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const element = texts.currentNode.parentElement;
    if (!texts.currentNode.data.trim() || !seen(element) || element.closest("script, style, .headerlink, desc, title")) continue;
    const style = getComputedStyle(element);
    const ground = behind(element);
    const colors = [element.closest("svg") ? style.fill : style.color].map((color) => over(rgba(color), ground));
    const [light, dark] = [luminance(colors[0]), luminance(ground)].sort((a, b) => b - a);
    const size = parseFloat(style.fontSize);
    const large = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700);
    const ratio = (light + 0.05) / (dark + 0.05);
    if (ratio < (large ? 3 : 4.5)) pale.add(`contrast ${ratio.toFixed(1)} of ${element.tagName}.${element.className} in ${style.color}`);
  }
  faults.push(...[...pale].slice(0, 8));
  return { faults, title: document.title, dark: luminance(behind(document.body)) < 0.5 };
})();
