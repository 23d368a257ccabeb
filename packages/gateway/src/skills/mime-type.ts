const TYPES: Readonly<Record<string, string>> = {
  md: 'text/markdown',
  txt: 'text/plain',
  csv: 'text/csv',
  html: 'text/html',
  css: 'text/css',
  js: 'text/javascript',
  mjs: 'text/javascript',
  ts: 'text/plain',
  py: 'text/x-python',
  sh: 'text/x-shellscript',
  rb: 'text/plain',
  sql: 'text/plain',
  toml: 'text/plain',
  yaml: 'text/yaml',
  yml: 'text/yaml',
  xml: 'text/xml',
  svg: 'image/svg+xml',
  json: 'application/json',
  png: 'image/png',
  jpg: 'image/jpeg',
  gif: 'image/gif',
  pdf: 'application/pdf',
}

/** The media type of a file by its name. */
export function mimeTypeOf(path: string): string {
  const [, ending = ''] = /\.([A-Za-z0-9]+)$/.exec(path) ?? []
  return TYPES[ending.toLowerCase()] ?? 'application/octet-stream'
}
