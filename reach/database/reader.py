"""The second wall: sqlglot reads a query, and every node, function and table of it must stand on a list.

Never the only wall: a reader and an engine may understand the same text differently. It is built as an allow-list,
because sqlglot sees `pg_read_file(...)` and `lo_import(...)` as plain calls and a CTE with DELETE as a SELECT.
"""

from __future__ import annotations

from collections.abc import Collection
from importlib.util import find_spec

from reach.database.database import READER, Refused, words

WHO = "the reader (sqlglot)"
QUERIES = "Select Union Except Intersect SetOperation Subquery"
NODES = words(
    f"""
    {QUERIES} With CTE Table TableAlias Alias Column Identifier Star Literal Boolean Null Paren Tuple Distinct From
    Where Group Having Order Ordered Limit Offset Join Window WindowSpec Filter WithinGroup Lateral Values Unnest
    Add Sub Mul Div IntDiv Mod Neg DPipe Concat EQ NEQ GT GTE LT LTE Is Not And Or Xor Between In Like ILike Glob
    SimilarTo RegexpLike RegexpILike Escape Case If Cast TryCast DataType DataTypeParam Interval IntervalSpan Var
    Bracket Dot JSONExtract JSONExtractScalar JSONBExtract JSONBExtractScalar JSONPath JSONPathRoot JSONPathKey
    JSONPathSubscript NullSafeEQ NullSafeNEQ Collate Exists Any All Rand TimeUnit Array Slice Qualify Having
    BitwiseAnd BitwiseOr AtTimeZone TableSample PropertyEQ Struct
    """
)
# By sqlglot's names for them; what an engine calls them is what a model writes.
FUNCTIONS = words(
    """
    approx_distinct array_length array_size cardinality char_length character_length chr coalesce contains corr
    count_if covar_pop covar_samp current_date current_timestamp date_diff date_part date_trunc datediff day dayofweek
    dayofmonth dayofyear day_of_week day_of_month day_of_year epoch extract greatest hour initcap isfinite isnan
    julian least left levenshtein make_date make_timestamp md5 median minute mode month octet_length percentile_cont
    percentile_disc position quantile quantile_cont quantile_disc quarter regexp_extract regexp_full_match
    regexp_matches regexp_replace regexp_like regexp_i_like right rpad lpad second similarity split_part starts_with
    ends_with stddev stddev_pop stddev_samp str_position strip_accents strlen strptime to_char to_date to_number
    to_timestamp translate trunc try_strptime typeof unnest var_pop var_samp variance week year
    str_to_time time_to_str ts_or_ds_to_date timestamp_trunc time_to_unix unix_to_time date_sub date_add ts_or_ds_add
    jarowinkler_similarity jaro_winkler_similarity damerau_levenshtein editdist3 jsonb_array_length
    json_array_length jsonb_typeof json_typeof bool_and bool_or logical_and logical_or variance_pop array_agg
    anonymous cast try_cast case if and or xor exists any_value arg_max arg_min group_concat timestamp str_to_date
    datetime stuff date_from_parts ts_or_ds_to_timestamp is_nan is_inf count_star
    abs avg ceil count cume_dist date dense_rank exp first first_value floor glob hex ifnull instr julianday
    lag last_value lead length like ln log log10 lower ltrim max min mod nth_value ntile nullif percent_rank pow power
    rank replace round row_number rtrim sign sqrt strftime string_agg substr substring sum time timediff total trim
    unicode unixepoch upper json_extract json_type json_valid json_each json_tree age mad explode list_count len
    array_to_string list_distinct make_interval isodow date_from_unix_date
    """
)


def available() -> bool:
    return find_spec("sqlglot") is not None


def check(query: str, dialect: str, tables: Collection[str], functions: Collection[str] = ()) -> None:
    """Raise Refused, naming what is not on the list, unless `query` is one SELECT over `tables`.

    `functions` are allowed beside the list here: what the engine at hand has of its own.
    """
    import sqlglot
    from sqlglot import errors, exp

    try:
        statements = [each for each in sqlglot.parse(query, read=dialect) if each is not None]
    except (errors.SqlglotError, RecursionError) as error:
        raise Refused(READER, WHO, f"it cannot be read as {dialect}: {first_line(error)}") from None
    if len(statements) != 1:
        raise Refused(READER, WHO, f"there are {len(statements)} statements")
    statement = statements[0]
    if type(statement).__name__ not in QUERIES.split():
        raise Refused(READER, WHO, f"it is {statement.key.upper()} and no SELECT")
    allowed = FUNCTIONS | frozenset(functions)
    known = {name.lower() for name in tables} | {cte.alias.lower() for cte in statement.find_all(exp.CTE)}
    for node in statement.walk():
        name = type(node).__name__
        if isinstance(node, exp.Func) and name not in NODES:
            names = {node.name.lower()} if isinstance(node, exp.Anonymous) else {n.lower() for n in node.sql_names()}
            if not names & allowed:
                raise Refused(READER, WHO, f"the function {min(names)} is not on the list")
        elif name not in NODES:
            raise Refused(READER, WHO, f"{node.key.upper()} is not on the list")
        if isinstance(node, exp.Table):
            _check_table(node, known)


def _check_table(table: object, known: Collection[str]) -> None:
    """A table is one of the collections (or a CTE, or what reads a list), and of no other database."""
    from sqlglot import exp

    if not isinstance(table.this, exp.Identifier):
        if table.this.name.lower() not in ("json_each", "json_tree") and type(table.this).__name__ != "Unnest":
            raise Refused(READER, WHO, f"{table.this.sql()[:80]} is no collection")
        return
    if table.catalog or (table.db and f"{table.db}.{table.name}".lower() not in known):
        raise Refused(READER, WHO, f"{table.sql()} is outside the collections")
    if table.name.lower() not in known and f"{table.db}.{table.name}".lower() not in known:
        raise Refused(
            READER, WHO, f"there is no collection {table.name[:80]!r}; there are {', '.join(sorted(known)[:20])}"
        )


def first_line(error: Exception) -> str:
    return str(error).split("\n", 1)[0][:160]
