"""Given in lesson 19: your tools as an MCP server over standard input and output: python server.py FOLDER

Any client can start it: an editor, a desktop program, or the real agent, with
python main.py --job operator --mcp "python my_agent/server.py calculator" "get the dir info of the directory pkg"
"""

import json
import sys


def serve(lines, out, answer):
    """One message a line, one answer a line, until the client closes the pipe."""
    for line in lines:
        reply = answer(json.loads(line))
        if reply is not None:
            print(json.dumps(reply), file=out, flush=True)


if __name__ == "__main__":
    try:
        import dispatch  # lesson 5
        from protocol import answer  # lesson 19
        from toolbox import TOOLS  # lesson 14, of lessons 2, 3, 8 and 10
    except ImportError as error:
        sys.exit(f"This server is made of your parts, and one is not there yet: {error}")
    dispatch.ROOT = sys.argv[1] if sys.argv[1:] else "."
    dispatch.TOOLS.update(TOOLS)
    protocol_out, sys.stdout = sys.stdout, sys.stderr  # what a tool prints must not stand between two messages
    serve(sys.stdin, protocol_out, answer)
