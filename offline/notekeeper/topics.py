"""What everyday texts are about, by the beginnings of their words, in seven languages: where a text goes when no note
is near it yet. It is a table of common topics; what is about none of them waits for a second note of its kind.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

# Language: name of the folder: beginnings of words. "=" before a word: it must be the whole word; "~": it says little.
_TABLE = """
en: garden: garden tomato lettuce carrot potato seed sow compost slug prune hedge lawn greenhouse fertili harvest weed
en: garden: plant flower rose tulip bulb shrub ~tree grass mow mulch berr strawberr bean cucumber pumpkin frost bloom
en: kitchen: recipe bake dough flour bread soup sauce oven cook roast =boil boiled simmer butter cake yeast salad pasta
en: kitchen: egg milk cheese cream chicken beef lamb ~meat ~fish grill fry dish spice lemon ~onion ~garlic pepper stir
en: kitchen: dinner stew sugar salt chocolate biscuit jam pie =tin =tins ~=g =ml =tbsp =tsp spoon curry overnight rice
en: health: doctor dentist blood vaccin tablet pill medicine allerg physio glasses hospital clinic fever pain pharmac
en: health: ill sick cough flu rash wound ankle knee tooth teeth cholesterol surgery operation nurse prescription
en: health: bandage diet infection antibiotic injur sprain therap syrup optician ointment symptom vitamin =dr
en: school: school teacher class homework exam maths pupil lesson kindergarten nursery pupils grade spelling essay
en: car: =car cars garage tyre tire brake engine mileage petrol diesel windscreen motorway wiper exhaust battery clutch
en: car: =mot fuel gear parking park ~drive ~driver dashboard bumper headlight
en: bike: bike bicycle cycli chain saddle pedal derailleur spoke
en: home: plumber boiler chimney =tap leak roof cellar washing hallway fuse floor paint landlord rent heating window
en: home: electrician socket wall walls door lamp bulb sofa furniture shelf curtain neighbour tile bathroom bedroom
en: money: bank account =tax =taxes invoice salary savings insurance =fee =fees loan budget electricity mortgage =isa
en: money: =bill =bills ~pay ~paid payment cash shares bond pension subscription credit debt ~owe ~percent transfer
en: travel: flight train hotel ticket passport luggage airport hostel booking trip suitcase visa ferry beach holiday
en: travel: tour abroad ~cabin ~departure guidebook museum island ~vienna ~paris ~rome ~spain ~italy
en: work: meeting client office deadline project colleague boss contract presentation customer quarter interview launch
en: work: =demo sprint appraisal career report promotion ~manager ~team ~department shift hire agenda
en: reading: book library novel author chapter read reading chapters ~page ~pages poem poetry ~story thriller bookshop
en: pets: =dog dogs =cat cats =vet puppy kitten leash litter hamster rabbit parrot aquarium flea kennel fur
en: computer: comput laptop server backup password disk router software update restart keyboard printer wifi =app
en: music: choir concert piano guitar rehears violin song orchestra
en: sport: swim ~run running marathon training gym match trainer football tennis pitch ~team league race fitness yoga
de: garten: garten hecke kompost beet tomate salat schneck gärtner apfelbaum rasen säen gesät ernte gieß unkraut rosen
de: garten: pflanz blume tulpe zwiebeln strauch ~baum bäume mähen mulch beere erdbeer kirsch bohne gurke kürbis frost
de: garten: blüht ~erde spaten kartoffel möhre gießen dünge unkräuter zaun laub vogel lavendel
de: küche: rezept backen gebacken teig mehl brot suppe soße ofen kochen gekocht butter kuchen hefe salz rühren eier
de: küche: milch käse sahne huhn hähnchen rind fleisch ~fisch braten grill ~zwiebel ~knoblauch pfeffer essig öl zucker
de: küche: senf marmelade linsen nudel reis kartoffelsalat kuchenform schüssel löffel gramm ~=g =ml einweichen würz
de: gesundheit: arzt ärzt zahnarzt impf tablette allergi brille blutdruck krankenhaus apotheke schmerz medikament
de: gesundheit: fieber krank husten grippe ausschlag wunde knie zahn zähne operation =op klinik praxis rezeptpflichtig
de: gesundheit: salbe verband diät orthopäd physio befund infekt antibiotik laktose unverträglich symptom erkält
de: schule: schule schul lehrer klasse hausaufgabe prüfung unterricht kindergarten elternabend zeugnis mathe vokabel
de: schule: diktat aufsatz schüler abitur universität vorlesung student lektion klassenfahrt elternsprech nachhilfe
de: auto: =auto =autos werkstatt reifen bremsscheib tüv motoröl winterreifen benzin diesel kilometerstand batterie
de: auto: auspuff kupplung scheibenwischer tank parken parkplatz führerschein stoßstange scheinwerfer ölwechsel panne
de: fahrrad: fahrrad rad kette platten sattel pedal felge bremsbel
de: wohnung: wohnung miete vermieter hausmeister heizung nebenkosten zählerstand klempner dach keller flur
de: wohnung: waschmaschine elektriker steckdose wand wände tür lampe sofa möbel regal vorhang nachbar fliese =bad
de: wohnung: badezimmer handwerker schreiner treppe fenster schlafzimmer ~garage rauchmelder ~boden bohren streichen
de: geld: bank konto steuer rechnung gehalt versicherung gebühr kredit überweis finanzamt zinsen bezahl zahlung ~bar
de: geld: aktie rente sparbuch abo schulden zins prozent dauerauftrag gehälter ~strom rückzahl
de: reise: flug zug hotel fahrkarte reisepass koffer flughafen urlaub buchung bahnhof fähre strand ferien ausflug
de: reise: ausland kabine ~abfahrt mietwagen pension ferienhaus museum insel visum gepäck ~wien ~italien
de: arbeit: besprechung kunde büro projekt kolleg chef vertrag angebot präsentation bewerbung gespräch ~team bericht
de: arbeit: chefin abteilung schicht ~termin homeoffice vorgesetzt arbeitszeit krankmeldung
de: lesen: buch bücher bibliothek roman autor lesen gelesen lese ~seite ~seiten kapitel gedicht ~geschichte krimi
de: tiere: hund katze tierarzt welpe leine futter hamster kaninchen papagei aquarium floh flöhe fell hündin kater käfig
de: computer: computer rechner server sicherung passwort festplatte router drucker wlan software handy bildschirm email
de: musik: chor konzert klavier gitarre probe geige orchester noten
de: sport: schwimm lauf training turnen spiel trainer fußball tennis marathon verein mannschaft liga wettkampf fitness
fr: jardin: jardin potager tomate carotte semer semé pommier limace arros taille taill compost haie gazon récolt
fr: jardin: poireau plant fleur rose tulipe bulbe arbuste ~arbre pelouse tondre paillis fraise cerise haricot concombre
fr: cuisine: recette pâte tarte farine four cuire cuit pain soupe beurre gâteau levure sauce sucre œuf oeuf lait
fr: cuisine: fromage crème poulet bœuf agneau viande ~poisson griller poêle ~oignon ~ail poivre sel citron huile
fr: cuisine: gratin mousse crêpe confiture mijot cuillère gramme ~=g =cl =ml mélang lentille riz légume chocolat
fr: santé: médecin dentiste vaccin comprimé ordonnance allergi lunettes tension hôpital pharmaci douleur sang malade
fr: santé: toux grippe plaie genou cheville dent opération infirmi sirop pommade régime kiné symptôme fièvre
fr: santé: antibiotique infection ~analyse vitamine =dr clinique mutuelle gouttes
fr: école: école élève maîtresse professeur classe devoirs examen cantine leçon maths collège lycée étudiant université
fr: école: ~cours bulletin poésie dictée =prof =profs récitation rentrée
fr: voiture: voiture garage pneu frein vidange moteur essence courroie =auto batterie échappement embrayage essuie
fr: maison: plombier robinet chaudière toit cave loyer propriétaire peinture fuite lave chauffage électricien prise mur
fr: maison: porte lampe ampoule canapé meuble étagère rideau voisin carrelage ~chambre parquet volet couloir grenier
fr: maison: fenêtre serrure salon peindre compteur escalier bricol
fr: argent: banque compte impôt facture salaire virement crédit épargne ~payer ~payé ~versé ~action retraite livret
fr: argent: abonnement dette rembours prélev taxe prime cotisation
fr: voyage: train billet hôtel avion valise passeport aéroport auberge voyage gare réservation ferry plage vacances
fr: voyage: étranger cabine ~départ musée île visa bagage vol location ~rome ~espagne ~italie ~lisbonne
fr: travail: réunion client bureau projet collègue patron contrat devis entretien embauche rapport chef ~équipe
fr: travail: ~service ~poste dossier télétravail collaborat trimestre salarié =drh
fr: lecture: livre bibliothèque roman auteur lire lu ~page chapitre poème ~histoire polar librairie biographie
fr: animaux: chien chat vétérinaire chiot croquette hamster lapin perroquet aquarium puce chaton cage niche poil
fr: ordinateur: ordinateur serveur sauvegarde disque imprimante logiciel wifi téléphone écran mail navigateur fichier
fr: musique: chorale concert piano guitare violon répétition
fr: sport: natation course entraînement piscine marathon entraîneur football ~équipe match club tournoi fitness yoga
es: huerto: huerto jardín tomate sembrar plantamos riego regar poda cosech compost plant flor rosa rosal tulipán bulbo
es: huerto: arbusto ~árbol césped fresa cereza judía pepino calabaza helada ~tierra abono abonar semilla
es: cocina: receta masa harina horno cocer arroz paella caldo gazpacho tortilla sopa =pan ~cebolla aceite =sal huevo
es: cocina: leche queso nata pollo ternera cordero carne ~pescado freír ~ajo pimienta limón azúcar chocolate salsa
es: cocina: lentejas garbanzo bizcocho guiso cuchar gramo ~=g =ml mezclar ~plato verdura patata hervir chorizo jamón
es: salud: médico dentista pastilla alergi gafas tensión hospital farmacia dolor enferm tos gripe herida rodilla
es: salud: tobillo diente muela operación jarabe pomada dieta =fisio síntoma fiebre antibiótico sangre ~análisis
es: salud: ecografía infección vitamina =dr =dra clínica consulta vacuna ambulatorio pediatr
es: colegio: colegio escuela profesor clase deberes examen alumno excursión maestra matemáticas universidad instituto
es: colegio: estudiante ~curso ~nota dictado tutor recreo alumna escolar
es: coche: coche taller neumático freno motor gasolina itv correa grúa batería escape embrague limpiaparabrisas carnet
es: casa: casa fontanero grifo caldera tejado sótano alquiler casero pintura gotera calefacción técnico electricista
es: casa: enchufe pared puerta lámpara bombilla sofá mueble estante cortina vecino azulejo baño dormitorio lavadora
es: casa: cerradura ventana pasillo persiana salón llaves alquil hipoteca
es: dinero: banco cuenta impuesto factura sueldo préstamo hacienda ahorro ~pagar ~pagué ~pago ~acciones jubilación
es: dinero: suscripción deuda devolver transferencia recibo interés nómina
es: viajes: tren billete hotel vuelo maleta pasaporte aeropuerto albergue viaje estación ferry playa vacaciones
es: viajes: extranjero camarote ~salida museo isla visado equipaje apartamento facturar ~roma ~parís ~italia
es: trabajo: reunión cliente oficina proyecto colega jefe contrato presupuesto equipo entrevista informe ~empresa
es: trabajo: departamento turno contratar teletrabajo plazo compañer
es: lectura: libro biblioteca novela autor leer leí página capítulo poema ~cuento librería biografía
es: animales: perro gato veterinari cachorro pienso hámster conejo loro acuario pulga cachorr jaula pelo
es: ordenador: ordenador servidor contraseña disco impresora programa móvil pantalla correo navegador archivo wifi
es: música: coro concierto piano guitarra violín ensayo
es: deporte: natación correr entrenamiento piscina maratón entrenador fútbol partido club torneo gimnasio yoga corrí
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
zh: 菜园: 菜园 番茄 黄瓜 浇水 种菜 施肥 花园 除草 播种 树苗 花盆 玫瑰 月季 种了 种子 草坪 草莓 樱桃 果树 南瓜 土豆 花开
zh: 厨房: 红烧 馒头 饺子 面粉 面团 炖 蒸 炒 食谱 烤箱 米饭 汤 酱油 鸡蛋 牛奶 鸡肉 牛肉 羊肉 排骨 ~鱼 豆腐 盐 糖 醋 葱
zh: 厨房: 姜 蒜 油锅 辣椒 面条 粥 煮 炸 勺 腌 锅 克 蛋糕 菜谱 火锅
zh: 健康: 医生 牙医 血压 药 医院 疫苗 过敏 体检 眼镜 发烧 血糖 大夫 咳嗽 感冒 发炎 膝盖 牙 手术 护士 ~检查 住院 药片
zh: 健康: 糖浆 药膏 中医 挂号 维生素 抗生素 头疼 头痛 胃痛 康复 看病
zh: 学校: 学校 老师 数学 考试 作业 上课 班主任 博物馆 小学 钢琴课 语文 英语 大学 中学 学生 课本 家长会 成绩 期末 期中
zh: 学校: 补习 毕业 学费 校服 幼儿园 春游 听写
zh: 汽车: 汽车 轮胎 刹车 机油 修车 停车 加油 车险 驾照 油箱 电瓶 车牌 年检 洗车 高速 车位 雨刷 发动机 车灯 罚单 轿车
zh: 家: 水管 漏水 房租 房东 暖气 装修 屋顶 洗衣机 油漆 电工 插座 墙 门锁 灯 沙发 家具 窗 物业 邻居 瓷砖 浴室 卧室 客厅
zh: 家: 厕所 马桶 停水 停电 空调 刷漆 搬家 地板
zh: 钱: 银行 账户 税 工资 发票 贷款 存款 信用卡 还款 ~借 利息 利率 股票 基金 保险费 退休金 定期 转账 ~支付 欠 账单 理财
zh: 旅行: 机票 酒店 护照 行李 火车票 旅行 签证 机场 高铁 飞机 航班 民宿 海边 假期 景点 导游 使馆 门票 行程 古城 海岛
zh: 工作: 会议 客户 办公室 项目 同事 老板 合同 方案 预算 实习 经理 部门 加班 面试 报告 出差 年终 考核 电话会 团队 报价
zh: 电脑: 电脑 硬盘 密码 备份 服务器 打印机 软件 路由器 手机 屏幕 邮件 浏览器 文件夹 数据库 网络 充电
zh: 宠物: 小狗 猫 宠物 兽医 遛狗 狗 兔子 鹦鹉 仓鼠 鱼缸 猫粮 狗粮 主人
zh: 音乐: 钢琴 合唱 音乐会 吉他 小提琴
zh: 运动: 游泳 跑步 训练 教练 足球 健身 比赛 球队 健身房 瑜伽 跑了 爬山 滑雪 羽毛球 篮球
zh: 看书: 本书 小说 图书馆 作者 书店 读到 读完 借书
ja: 庭: 庭 トマト 水やり 種 畑 肥料 雑草 収穫 ~花 バラ 植え 苗 芝 庭木 剪定 チューリップ 球根 いちご きゅうり なす 野菜
ja: 料理: レシピ 生地 小麦粉 オーブン 煮 焼く 味噌 醤油 ご飯 鍋 卵 牛乳 チーズ 鶏肉 牛肉 豚肉 魚 玉ねぎ にんにく 砂糖
ja: 料理: 塩 酢 しょうゆ みそ 大さじ 小さじ カレー だし 炒め 弱火 ケーキ 漬
ja: 健康: 医者 歯医者 血圧 薬 病院 予防接種 アレルギー 眼鏡 熱 歯科 咳 風邪 ~検査 膝 手術 看護 錠剤 目薬 湿布 血糖 診察
ja: 健康: 入院 通院 花粉症 痛 発熱 ワクチン 健診 虫歯 内科
ja: 学校: 学校 先生 授業 宿題 試験 遠足 給食 担任 テスト 教科書 大学 生徒 運動会 PTA 保護者 面談 塾 漢字 算数 通知表
ja: 車: 車検 タイヤ ブレーキ エンジン ガソリン 駐車 オイル 免許 車庫 洗車 バッテリー ワイパー 高速道路 駐車場 トヨタ
ja: 家: 水道 家賃 大家 暖房 屋根 洗濯機 修理 電気 コンセント 壁 電球 照明 ソファ 家具 窓 ~隣 タイル 風呂 寝室 台所 玄関
ja: 家: 鍵 トイレ エアコン 引っ越し 水漏れ 工事
ja: お金: 銀行 口座 税金 給料 請求書 保険 振込 振り込 ~借り 貸し 利息 株式 年金 貯金 ~支払 ローン カード 家計 返済
ja: 旅行: 新幹線 ホテル 切符 旅行 空港 飛行機 旅館 フェリー 海外 海水浴 休暇 観光 飛行 荷物 パスポート ビザ 宿 民宿
ja: 仕事: 会議 顧客 事務所 同僚 上司 契約 企画 予算 報告 部長 課長 出張 面接 残業 取引先 締め切り 納期 打ち合わせ 社員
ja: パソコン: パソコン サーバー パスワード バックアップ プリンター スマホ 画面 メール ブラウザ ファイル データベース
ja: 本: 小説 図書館 作家 詩 書店 読んだ 文庫 ページ 新刊
ja: ペット: 犬 猫 うさぎ ~鳥 ハムスター 獣医 餌 散歩 水槽
ja: 音楽: ピアノ ギター 合唱 コンサート 演奏 バイオリン
ja: 運動: 走っ 水泳 練習 試合 コーチ サッカー 野球 テニス ジム ヨガ 登山
"""
# The topics again, each with the beginnings of what people call its folder.
_FOLDERS = """
garden garten jardin jardín huerto plant pflanz сад дача огород 菜园 花园 庭
kitchen cook recipe food küche rezept essen cuisine recette cocina receta кухн рецепт 厨房 食谱 菜谱 料理 レシピ
health medic doctor gesund arzt santé médec salud médic здоров 健康 医
school kids child schule kinder école enfant colegio escuela niños школ дети 学校 孩子 学習
=car =cars vehicle auto voiture coche машин 汽车 车 車
bike bicycl cycling fahrrad vélo bici велосипед 自行车 自転車
home house haus wohnung maison casa hogar квартир дом 家 房子 房屋
money financ bank geld finanz argent dinero деньги финанс 钱 财 お金 家計
travel trip holiday reise urlaub voyage vacances viaje поезд путеш 旅
work job office arbeit beruf büro travail trabajo работ 工作 仕事
reading book lesen buch bücher buecher lecture livre lectura libro книг 看书 读书 书 本 読書
pets animal dog cat tiere hund katze animaux chien chat mascota perro gato животн 宠物 ペット
computer rechner ordinateur informatique ordenador компьютер 电脑 パソコン
music choir musik chor musique música музык 音乐 音楽
sport fitness training deporte спорт 运动 運動
"""
SHORT, ENDING = 4, 2  # letters: what begins a word by no more than SHORT must be all of it but for an ENDING
PART, BEFORE = 5, 3  # letters: a German word may also hold what has PART of them, behind BEFORE others
LITTLE = 0.4  # a word that says little, of one that tells a topic
_WORD = re.compile(r"[^\W\d_]+")
_COMMON = {
    "en": "the and is are of to for with at in on it we my a has was he she his her by from until not that be out so s",
    "de": "der die das und ist im am den für wird nicht auf mit hat ein eine einen dem des bis bei zum zur von mir ab",
    "fr": "le la les et est de du des au pour une il dans un en sur par à avec chez son sa ses l d qui que pas a",
    "es": "el la los las y es del para una con hay que en un de al por se su mi me lo no a",
}
_LETTERS = {"en": "", "de": "äöüß", "fr": "çèêàùœî", "es": "ñáóíú¿¡"}
_FOLDER_NAMES = [tuple(line.split()) for line in _FOLDERS.strip().split("\n")]


def _topics() -> dict[tuple[str, str], tuple[str, ...]]:
    found: dict[tuple[str, str], tuple[str, ...]] = {}
    for line in _TABLE.strip().split("\n"):
        language, name, begins = (part.strip() for part in line.split(":", 2))
        found[language, name] = found.get((language, name), ()) + tuple(begins.split())
    return found


TOPICS = _topics()


@dataclass(frozen=True)
class Topic:
    """The folder for what a text is about, in its own language; "" where the table has no topic that leads. `words`
    says how many of its words tell it; `language` is that of the text, with or without a topic."""

    name: str = ""
    words: float = 0
    begins: tuple[str, ...] = ()
    language: str = ""

    def names(self, folder: str) -> bool:
        """Whether a folder is one of this topic under another name, in any language: cycling for bikes."""
        others = called(folder)
        words = _WORD.findall(folder.casefold())
        if not self.name or others:
            return bool(self.name and others & called(self.name))
        return any(met(begin, folder.casefold(), words) >= 0 for begin in self.begins if not begin.startswith("~"))


def called(folder: str) -> set[int]:
    """The topics of which a folder bears a name, by their places in the table of names."""
    folder = folder.casefold()
    words = _WORD.findall(folder)
    return {at for at, names in enumerate(_FOLDER_NAMES) if any(met(name, folder, words) >= 0 for name in names)}


def topic_of(text: str) -> Topic:
    """What the table says that a text is about: of two topics that as many words tell, the one that is told first."""
    folded = text.casefold()
    words = _WORD.findall(folded)
    told = {language: told_most(language, folded, words) for language in languages_of(folded)}
    own = max(told, key=lambda language: spoken(language, folded, words) + told[language][0])
    most, _, name = told[own]
    return Topic(name, most, TOPICS[own, name], own) if most else Topic(language=own)


def told_most(language: str, text: str, words: list[str]) -> tuple[float, int, str]:
    """The topic that most words of a text tell in a language: how many; how far from the end, in letters; its name."""
    every = []
    for name, begins in ((name, begins) for (own, name), begins in TOPICS.items() if own == language):
        held = [(begin, at) for begin in begins if (at := met(begin, text, words, language)) >= 0]
        count = sum(LITTLE if begin[0] == "~" else 1.0 for begin, _ in held)
        every.append((count, len(text) - min((at for _, at in held), default=0), name))
    return max(every)


def in_the_table(folder: str) -> bool:
    """Whether a folder bears the name of a topic of the table."""
    return any(name == folder.casefold() for _, name in TOPICS)


def met(begin: str, text: str, words: list[str], language: str = "") -> int:
    """Where a text, of which these are the words, first holds what begins so; -1 where it does not."""
    begin = begin.removeprefix("~")
    if begin > "\u3040":
        return text.find(begin)
    if begin.startswith("="):
        return next((text.find(word) for word in words if word == begin[1:]), -1)
    longest = len(begin) + (ENDING if len(begin) <= SHORT else len(text))
    inside = BEFORE if language == "de" and len(begin) >= PART else len(text)
    holds = (word.startswith(begin) and len(word) <= longest or word.find(begin, inside) > 0 for word in words)
    return next((text.find(word) for word, held in zip(words, holds, strict=True) if held), -1)


def languages_of(text: str) -> tuple[str, ...]:
    """Of the table's languages those that a text may be in, by script."""
    if re.search(r"[\u3040-\u30ff]", text):
        return ("ja",)
    if re.search(r"[\u3400-\u9fff]", text):
        return ("zh",)
    return ("ru",) if re.search(r"[а-яё]", text) else tuple(_COMMON)


def spoken(language: str, text: str, words: list[str]) -> int:
    """How much the commonest words, and letters of its own, speak for a language."""
    if language not in _COMMON:
        return 0
    return sum(word in _COMMON[language].split() for word in words) + any(map(text.count, _LETTERS[language]))
