/**
 * What `cmd.exe /d /s /v:off /e:on /c` is to be given, as it is, to run a batch file with arguments
 * that come to it unchanged and start nothing else.
 *
 * `cmd.exe` reads a line before the batch file does, and once more when the file passes its arguments
 * on. Quotes are therefore doubled and never escaped by `\` or `^`, so that what stands inside them
 * stands inside them both times; `%%cd:~,%` is a percent sign that begins no variable. It is what Rust
 * does since CVE-2024-24576.
 *
 * @throws when an argument has a line break or a zero, for which there is no way
 */
export function batchLine(file: string, args: readonly string[]): string {
  return `"${[file, ...args].map(quote).join(' ')}"`
}

function quote(text: string): string {
  if (/[\0\r\n]/.test(text)) {
    throw new Error('An argument of a .cmd or .bat file must not have a line break.')
  }
  const escaped = text
    // backslashes before a quote would escape it for the program, as would those before the last one
    .replace(/(\\*)"/g, '$1$1""')
    .replace(/(\\+)$/, '$1$1')
    .replaceAll('%', '%%cd:~,%')
  return `"${escaped}"`
}
