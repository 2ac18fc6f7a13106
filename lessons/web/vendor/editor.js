// What of CodeMirror 6 (https://codemirror.net) the course's page uses: a Python editor in one function.
import { defaultKeymap, history, historyKeymap, indentWithTab, isolateHistory } from "@codemirror/commands";
import { python } from "@codemirror/lang-python";
import { bracketMatching, indentOnInput, indentUnit, syntaxHighlighting } from "@codemirror/language";
import { Annotation, EditorState } from "@codemirror/state";
import { EditorView, drawSelection, highlightActiveLine, keymap, lineNumbers } from "@codemirror/view";
import { classHighlighter } from "@lezer/highlight";

const loaded = Annotation.define(); // a text that came from the disk, and was not typed

// parent: an element; label: a name for screen readers; nonce: of the page's policy; keys: CodeMirror key bindings that
// come first; changed: called after what a person has typed.
window.openEditor = ({ parent, label, nonce, keys, changed }) => {
  const extensions = [
    EditorView.cspNonce.of(nonce), EditorView.lineWrapping, EditorView.contentAttributes.of({ "aria-label": label }),
    lineNumbers(), history(), drawSelection(), indentOnInput(), bracketMatching(), highlightActiveLine(),
    indentUnit.of("    "), python(), syntaxHighlighting(classHighlighter),
    keymap.of([...keys, ...defaultKeymap, ...historyKeymap, indentWithTab]),
    EditorView.updateListener.of((update) => {
      if (update.docChanged && !update.transactions.some((each) => each.annotation(loaded))) changed();
    }),
  ];
  const state = (doc) => EditorState.create({ doc, extensions });
  const view = new EditorView({ parent, state: state("") }); // not without a state: its styles need the nonce
  const fresh = (text) => view.setState(state(text)); // with no history of another file
  const replace = (text) => view.dispatch({ // one step, that undo takes back
    changes: { from: 0, to: view.state.doc.length, insert: text }, annotations: [loaded.of(true), isolateHistory.of("full")],
  });
  return { text: () => view.state.doc.toString(), fresh, replace, focus: () => view.focus() };
};
