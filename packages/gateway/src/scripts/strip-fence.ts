const FENCED = /^(\s*)```\w*[ \t]*(\r?\n[\s\S]*\n)[ \t]*```\s*$/

/** The script in a Markdown code block. The line of the opening fence stays as an empty line, so that lines keep their numbers. */
export function stripFence(source: string): string {
  const [, before = '', body] = FENCED.exec(source) ?? []
  return body === undefined ? source : `${before}${body}`
}
