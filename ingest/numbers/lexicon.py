"""Words and signs that numbers are written with. Facts only; how they combine is grammar."""

from __future__ import annotations

from types import MappingProxyType as Frozen


def _words(text: str) -> tuple[str, ...]:
    return tuple(text.split())


SMALL = Frozen({word: value for value, word in enumerate(
    _words("zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen "
    "fifteen sixteen seventeen eighteen nineteen")
)})  # fmt: skip
TENS = Frozen({word: value for value, word in zip(
    range(20, 100, 10),
    _words("twenty thirty forty fifty sixty seventy eighty ninety"), strict=True,
)} | {"fourty": 40})  # fmt: skip
HUNDRED = 100
_ONES = "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth"
ORDINALS = Frozen(
    {word: value for value, word in enumerate(_ONES.split(), start=1)}
    | {f"{word}th": value for word, value in SMALL.items() if value > 12}
    | {f"{word[:-1]}ieth": value for word, value in TENS.items()}
)
ORDINAL_ENDINGS = frozenset(("st", "nd", "rd", "th"))

_PARTS = {
    "third": 3, "quarter": 4, "fourth": 4, "fifth": 5, "sixth": 6, "seventh": 7, "eighth": 8,
    "ninth": 9, "tenth": 10, "twentieth": 20, "hundredth": 100, "thousandth": 1000,
}  # fmt: skip
PART = Frozen({"half": 2, **_PARTS})
PARTS = Frozen({"halves": 2, **{f"{word}s": value for word, value in _PARTS.items()}})
VULGAR = Frozen({
    "\u00bd": (1, 2), "\u00bc": (1, 4), "\u00be": (3, 4), "\u2153": (1, 3), "\u2154": (2, 3),
    "\u2155": (1, 5), "\u2156": (2, 5), "\u2157": (3, 5), "\u2158": (4, 5), "\u2159": (1, 6),
    "\u215a": (5, 6), "\u2150": (1, 7), "\u215b": (1, 8), "\u215c": (3, 8), "\u215d": (5, 8),
    "\u215e": (7, 8), "\u2151": (1, 9), "\u2152": (1, 10),
})  # fmt: skip
RAISED = Frozen(dict(zip(
    "\u2070\u00b9\u00b2\u00b3\u2074\u2075\u2076\u2077\u2078\u2079\u207b\u207a",
    "0123456789-+", strict=True,
)))  # fmt: skip

SCALES = Frozen({
    "thousand": 10**3, "million": 10**6, "billion": 10**9, "trillion": 10**12,
    "quadrillion": 10**15, "lakh": 10**5, "lac": 10**5, "crore": 10**7, "dozen": 12,
    "mn": 10**6, "mln": 10**6, "mio": 10**6, "bn": 10**9, "bln": 10**9, "tn": 10**12,
    "trn": 10**12,
})  # fmt: skip
SCALE_PLURALS = Frozen({
    f"{word}s": SCALES[word]
    for word in _words("thousand million billion trillion quadrillion lakh crore")
})  # fmt: skip
# Case counts here: `m` may be a metre, `mm` a millimetre, `t` a tonne, `g` a gram.
GLUED_SCALES = Frozen({"k": 10**3, "K": 10**3, "m": 10**6, "M": 10**6, "MM": 10**6, "b": 10**9,
                       "B": 10**9, "T": 10**12})  # fmt: skip
SPACED_SCALES = Frozen({"k": 10**3, "K": 10**3, "M": 10**6, "MM": 10**6})
MONEY_SCALES = Frozen({**GLUED_SCALES, "mm": 10**6, "t": 10**12, "tr": 10**12})

CURRENCY_SIGNS = Frozen({
    "$": "$", "US$": "USD", "CA$": "CAD", "C$": "CAD", "AU$": "AUD", "A$": "AUD", "HK$": "HKD",
    "NZ$": "NZD", "S$": "SGD", "\u20ac": "EUR", "\u00a3": "GBP", "\u00a5": "\u00a5",
    "\u20b9": "INR", "\u20a9": "KRW", "\u20bd": "RUB", "\u20aa": "ILS", "\u20ba": "TRY",
    "R$": "BRL", "\u00a2": "cent", "\u20ab": "VND", "\u0e3f": "THB", "\u20bf": "BTC",
})  # fmt: skip
CURRENCY_CODES = frozenset(
    _words(
        "USD EUR GBP JPY CNY RMB INR CHF CAD AUD NZD HKD SGD KRW SEK NOK DKK BRL MXN ZAR RUB TRY "
        "ILS PLN THB"
    )
)
CURRENCY_WORDS = Frozen({
    "dollar": "$", "dollars": "$", "euro": "EUR", "euros": "EUR", "pound": "GBP",
    "pounds": "GBP", "yen": "JPY", "yuan": "CNY", "rupee": "INR", "rupees": "INR",
    "cent": "cent", "cents": "cent",
    "p": "penny", "penny": "penny", "pence": "penny",
})  # fmt: skip

PERCENT_WORDS = frozenset(("percent", "pct", "percentage"))
POINT_WORDS = frozenset(("point", "points"))
PERCENTAGE_POINTS = frozenset(("pp", "pps", "ppt", "ppts"))
BASIS_POINTS = frozenset(("bp", "bps"))
MULTIPLES = frozenset(("x", "X", "\u00d7", "fold", "times"))

_UNITS = (
    "second seconds sec secs s|minute minutes min mins|hour hours hr hrs h|day days d|"
    "week weeks wk|month months|quarter quarters|year years yr yrs|decade decades|"
    "mg|g gram grams|kg|tonne tonnes t|ton tons|lb lbs|oz|nm|\u00b5m \u03bcm|mm|cm|"
    "m metre metres meter meters|km kilometre kilometres|inch inches|ft foot feet|mile miles|"
    "yard yards|acre acres|hectare hectares ha|m\u00b2 m2 sqm|km\u00b2 km2|m\u00b3 m3|"
    "\u00b0C|\u00b0F|\u00b0 degree degrees|\u00b0K|"
    "ml|l litre litres liter liters L|gallon gallons|barrel barrels bbl|"
    "bit bits|byte bytes|KB kB|MB|GB|TB|PB|Kbps kbps|Mbps|Gbps|Hz|kHz|MHz|GHz|"
    "V|mV|W|kW|MW|GW|TW|Wh|kWh|MWh|GWh|TWh|J|kJ|MJ|cal|kcal|ppm|ppb|dB|px|dpi|fps|mph"
)
UNITS = Frozen({
    form: (forms.split()[0]) for forms in _UNITS.split("|") for form in forms.split()
})  # fmt: skip
"""Canonical unit by form; forms of up to three letters count by case."""
COMPOUND_UNITS = (
    ("year", "quarter", "month", "week", "day", "hour", "minute", "second"),
    ("mile", "yard", "ft", "inch"), ("km", "m", "cm", "mm"), ("kg", "g"), ("lb", "oz"),
)  # fmt: skip
"""Families in which one amount is often written in two units, from large to small."""

MONTHS = frozenset(
    _words(
        "january february march april may june july august september october november december "
        "jan feb mar apr jun jul aug sep sept oct nov dec"
    )
)
RANK_LEADS = frozenset(("no", "nr", "number", "rank", "ranked", "page", "slide", "figure", "fig",
                        "table", "step", "section", "chapter"))  # fmt: skip
VAGUE = frozenset(("couple", "few", "several", "many", "some", "multiple"))
MINUS_WORDS = frozenset(("minus", "negative"))

QUALIFIER_SIGNS = Frozen({
    "~": "approx", "\u2248": "approx", "\u223c": "approx", ">": "gt", "<": "lt", ">=": "ge",
    "<=": "le", "\u2265": "ge", "\u2264": "le",
})  # fmt: skip
QUALIFIER_PHRASES = Frozen({
    **{tuple(words.split()): qualifier for qualifier, phrases in {
        "approx": "about|approximately|approx|around|roughly|circa|ca|nearly|almost|some",
        "gt": "more than|over|above|greater than|exceeding",
        "ge": "at least|no less than|not less than|no fewer than|minimum of|a minimum of",
        "lt": "less than|under|below|fewer than",
        "le": "at most|up to|no more than|not more than|maximum of|a maximum of",
    }.items() for words in phrases.split("|")},
})  # fmt: skip
TRAILING_QUALIFIERS = Frozen({
    ("or", "more"): "ge", ("or", "above"): "ge", ("or", "over"): "ge", ("and", "above"): "ge",
    ("or", "less"): "le", ("or", "fewer"): "le", ("or", "below"): "le",
})  # fmt: skip
LONGEST_QUALIFIER = 3

FILLERS = frozenset(
    _words("a an the is was were are be it its answer about approximately total")
    + _words("of in by to at on for since during")
)
"""Words that say nothing beside a number."""
