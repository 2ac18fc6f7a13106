"""What everyday texts are about, by the beginnings of their words, in seven languages: where a text goes when no note
is near it yet. It is a short table of common topics; what is about none of them waits for a second note of its kind.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

# Language: name of the folder: beginnings of words. "=" before a word: it must be the whole word.
_TABLE = """
en: garden: garden tomato lettuce carrot potato seed sow compost slug prune hedge lawn greenhouse fertili harvest weed
en: kitchen: recipe bake dough flour bread soup sauce oven cook roast boil simmer butter cake yeast salad pasta rice
en: health: doctor dentist blood vaccin tablet pill medicine allerg physio glasses hospital clinic fever pain pharmac
en: school: school teacher class homework exam maths pupil lesson kindergarten nursery pupils grade
en: car: =car cars garage tyre tire brake engine mileage petrol diesel windscreen motorway
en: bike: bike bicycle cycli chain saddle pedal derailleur spoke
en: home: plumber boiler chimney =tap leak roof cellar washing hallway fuse floor paint landlord rent heating window
en: money: bank account =tax =taxes invoice salary savings insurance =fee =fees loan budget electricity mortgage
en: travel: flight train hotel ticket passport luggage airport hostel booking trip suitcase visa
en: work: meeting client office deadline project colleague boss contract presentation customer quarter
en: reading: book library novel author chapter
en: pets: =dog dogs =cat cats =vet puppy kitten leash litter
en: computer: comput laptop server backup password disk router software update restart keyboard printer wifi
en: music: choir concert piano guitar rehears violin song orchestra
en: sport: swim run running marathon training gym match trainer football tennis
de: garten: garten hecke kompost beet tomate salat schneck gärtner apfelbaum rasen säen gesät ernte gieß unkraut rosen
de: küche: rezept backen gebacken teig mehl brot suppe soße ofen kochen gekocht butter kuchen hefe salz rühren
de: gesundheit: arzt ärzt zahnarzt impf tablette allergi brille blutdruck krankenhaus apotheke schmerz medikament fieber
de: schule: schule schul lehrer klasse hausaufgabe prüfung unterricht kindergarten elternabend zeugnis
de: auto: =auto =autos werkstatt reifen bremsscheib tüv motoröl winterreifen benzin diesel kilometerstand
de: fahrrad: fahrrad rad kette platten sattel pedal felge bremsbel
de: wohnung: wohnung miete vermieter hausmeister heizung nebenkosten zählerstand klempner dach keller flur waschmaschine
de: geld: bank konto steuer rechnung gehalt versicherung gebühr kredit überweis finanzamt zinsen
de: reise: flug zug hotel fahrkarte reisepass koffer flughafen urlaub buchung bahnhof
de: arbeit: besprechung kunde büro projekt kolleg chef vertrag angebot präsentation
de: lesen: buch bücher bibliothek roman autor
de: tiere: hund katze tierarzt welpe leine futter
de: computer: computer rechner server sicherung passwort festplatte router drucker wlan software
de: musik: chor konzert klavier gitarre probe geige orchester noten
de: sport: schwimm lauf training turnen spiel trainer fußball tennis marathon
ru: сад: дач огород сад помидор картош теплиц полив посад грядк урожай сорняк клубник
ru: кухня: рецепт тесто борщ суп мука муки печётся пирог блин варит жарит кухн хлеб сахар салат
ru: здоровье: врач зубн прививк таблетк давлени больниц аптек аллерги анализ болит температур лекарств
ru: школа: школ учител урок контрольн экзамен класс тетрад домашн оценк пятёрк
ru: машина: машин шин бензин двигател пробег тормоз автосервис гараж колес
ru: квартира: квартир соседи сантехник ванн потолок обои счётчик кран ремонт отоплени аренд
ru: деньги: банк налог счёт зарплат кредит страховк оплат ипотек
ru: поездки: поезд самолёт билет отель гостиниц чемодан паспорт аэропорт виза вокзал
ru: работа: встреч клиент офис проект коллег начальник договор совещани отчёт
ru: книги: книг библиотек роман автор чита
ru: животные: собак =кот кошк ветеринар щен корм
ru: компьютер: компьютер ноутбук сервер пароль диск принтер роутер программ
ru: музыка: хор концерт пианино гитар скрипк репетиц
ru: спорт: трениров плавани бассейн бег пробежал марафон тренер футбол кроссовк
fr: jardin: jardin potager tomate carotte semer semé pommier limace arros taille taill compost haie gazon récolt poireau
fr: cuisine: recette pâte tarte farine four cuire cuit pain soupe beurre gâteau levure sauce sucre
fr: santé: médecin dentiste vaccin comprimé ordonnance allergi lunettes tension hôpital pharmaci douleur sang
fr: école: école élève maîtresse professeur classe devoirs examen cantine leçon
fr: voiture: voiture garage pneu frein vidange moteur essence courroie =auto
fr: maison: plombier robinet chaudière toit cave loyer propriétaire peinture fuite lave chauffage
fr: argent: banque compte impôt facture salaire virement crédit épargne
fr: voyage: train billet hôtel avion valise passeport aéroport auberge voyage gare réservation
fr: travail: réunion client bureau projet collègue patron contrat devis
fr: lecture: livre bibliothèque roman auteur
fr: animaux: chien chat vétérinaire chiot croquette
fr: ordinateur: ordinateur serveur sauvegarde disque imprimante logiciel wifi
fr: musique: chorale concert piano guitare violon répétition
fr: sport: natation course entraînement piscine marathon entraîneur football
es: huerto: huerto jardín tomate sembrar plantamos riego regar poda cosech compost
es: cocina: receta masa harina horno cocer arroz paella caldo gazpacho tortilla sopa =pan cebolla aceite =sal
es: salud: médico dentista pastilla alergi gafas tensión hospital farmacia dolor
es: colegio: colegio escuela profesor clase deberes examen alumno excursión maestra
es: coche: coche taller neumático freno motor gasolina itv correa grúa
es: casa: casa fontanero grifo caldera tejado sótano alquiler casero pintura gotera calefacción técnico
es: dinero: banco cuenta impuesto factura sueldo préstamo hacienda ahorro
es: viajes: tren billete hotel vuelo maleta pasaporte aeropuerto albergue viaje estación
es: trabajo: reunión cliente oficina proyecto colega jefe contrato presupuesto equipo
es: lectura: libro biblioteca novela autor
es: animales: perro gato veterinari cachorro pienso
es: ordenador: ordenador servidor contraseña disco impresora programa
es: música: coro concierto piano guitarra violín ensayo
es: deporte: natación correr entrenamiento piscina maratón entrenador fútbol
zh: 菜园: 菜园 番茄 黄瓜 浇水 种菜 施肥 花园 除草 播种 树苗
zh: 厨房: 红烧 馒头 饺子 面粉 面团 炖 蒸 炒 食谱 烤箱 米饭 汤 酱油
zh: 健康: 医生 牙医 血压 药 医院 疫苗 过敏 体检 眼镜 发烧 血糖
zh: 学校: 学校 老师 数学 考试 作业 上课 班主任 博物馆 小学 钢琴课
zh: 汽车: 汽车 轮胎 刹车 机油 修车 停车 加油 车险
zh: 家: 水管 漏水 房租 房东 暖气 装修 屋顶 洗衣机 油漆
zh: 钱: 银行 账户 税 工资 发票 贷款 存款
zh: 旅行: 机票 酒店 护照 行李 火车票 旅行 签证 机场
zh: 工作: 会议 客户 办公室 项目 同事 老板 合同
zh: 电脑: 电脑 硬盘 密码 备份 服务器 打印机 软件 路由器
zh: 宠物: 小狗 猫 宠物 兽医 遛狗
zh: 音乐: 钢琴 合唱 音乐会 吉他 小提琴
zh: 运动: 游泳 跑步 训练 教练 足球 健身
ja: 庭: 庭 トマト 水やり 種 畑 肥料 雑草 収穫
ja: 料理: レシピ 生地 小麦粉 オーブン 煮 焼く 味噌 醤油 ご飯 鍋
ja: 健康: 医者 歯医者 血圧 薬 病院 予防接種 アレルギー 眼鏡 熱
ja: 学校: 学校 先生 授業 宿題 試験 遠足 給食
ja: 車: 車検 タイヤ ブレーキ エンジン ガソリン 駐車
ja: 家: 水道 家賃 大家 暖房 屋根 洗濯機 修理
ja: お金: 銀行 口座 税金 給料 請求書 保険
ja: 旅行: 新幹線 ホテル 切符 旅行 空港 飛行機 旅館
ja: 仕事: 会議 顧客 事務所 同僚 上司 契約
ja: パソコン: パソコン サーバー パスワード バックアップ プリンター
"""
SHORT, ENDING = 4, 2  # letters: what begins a word by no more than SHORT must be all of it but for an ENDING
_WORD = re.compile(r"[^\W\d_]+")
_COMMON = {
    "en": "the and is are of to for with at in on it we my",
    "de": "der die das und ist im am den für wird nicht auf mit hat",
    "fr": "le la les et est de du des au pour une il dans",
    "es": "el la los las y es del para una con hay que en",
}
_LINES = [[part.strip() for part in line.split(":", 2)] for line in _TABLE.strip().split("\n")]
TOPICS = [(language, name, tuple(begins.split())) for language, name, begins in _LINES]


@dataclass(frozen=True)
class Topic:
    """The folder for what a text is about, in its own language; "" where the table has no topic that leads. `words`
    says how many of its words tell it."""

    name: str = ""
    words: int = 0
    begins: tuple[str, ...] = ()

    def names(self, folder: str) -> bool:
        """Whether a folder is one of this topic under another name: cycling for bikes."""
        return any(met(begin, folder.casefold(), _WORD.findall(folder.casefold())) for begin in self.begins)


def topic_of(text: str) -> Topic:
    """What the table says that a text is about."""
    folded = text.casefold()
    words = _WORD.findall(folded)
    language = language_of(folded, words)
    own = [each for each in TOPICS if each[0] == language]
    found = [(sum(met(begin, folded, words) for begin in begins), name, begins) for _, name, begins in own]
    (second, *_), (most, name, begins) = sorted(found)[-2:]
    return Topic(name, most, begins) if most > second else Topic()


def in_the_table(folder: str) -> bool:
    """Whether a folder bears the name of a topic of the table."""
    return any(name == folder.casefold() for _, name, _ in TOPICS)


def met(begin: str, text: str, words: list[str]) -> bool:
    if begin.startswith("="):
        return begin[1:] in words
    if begin > "\u3040":
        return begin in text
    longest = len(begin) + (ENDING if len(begin) <= SHORT else len(text))
    return any(word.startswith(begin) and len(word) <= longest for word in words)


def language_of(text: str, words: list[str]) -> str:
    """Of the table's languages, by script and by the commonest words."""
    if re.search(r"[\u3040-\u30ff]", text):
        return "ja"
    if re.search(r"[\u3400-\u9fff]", text):
        return "zh"
    if re.search(r"[а-яё]", text):
        return "ru"
    return max(_COMMON, key=lambda language: sum(word in _COMMON[language].split() for word in words))
