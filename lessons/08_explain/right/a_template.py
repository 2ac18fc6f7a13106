import json
import textwrap
from string import Template

SAYS = Template("Error: call of $name refused. $error. You sent $sent. Right would be: $right")


def explain(error, tool, arguments):
    properties, required = tool["parameters"]["properties"], tool["parameters"]["required"]
    right = {n: "%s, %s" % (p["type"], ["optional", "required"][n in required]) for n, p in properties.items()}
    sent = textwrap.shorten(json.dumps(arguments), 100, placeholder=" [...]")
    return SAYS.substitute(name=tool["name"], error=error, sent=sent, right=json.dumps(right))
