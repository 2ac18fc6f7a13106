"""Other people's clients: the coder's mind works through the tools that they give, or on the files that they show.

`kit` recognises tools by their schemas, `hands` puts the coder's calls into theirs and their results into the coder's,
`shell` does so for one that has a shell alone, `spoken` for one that has no tools, `aside` stands in for a tool that
is missing, in a copy of the files behind the sandbox. `answering` puts it together.
"""
