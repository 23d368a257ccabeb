const OFFICE = 'application/vnd.openxmlformats-officedocument'

const BY_EXTENSION: Readonly<Record<string, string>> = {
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  gif: 'image/gif',
  webp: 'image/webp',
  mp3: 'audio/mpeg',
  wav: 'audio/wav',
  pdf: 'application/pdf',
  doc: 'application/msword',
  docx: `${OFFICE}.wordprocessingml.document`,
  ppt: 'application/vnd.ms-powerpoint',
  pptx: `${OFFICE}.presentationml.presentation`,
  xls: 'application/vnd.ms-excel',
  xlsx: `${OFFICE}.spreadsheetml.sheet`,
  rtf: 'application/rtf',
  odt: 'application/vnd.oasis.opendocument.text',
}

/** The media type that the extension of a file name or of an address stands for. */
export function typeOfName(name: string): string | undefined {
  const extension = name.split(/[?#]/, 1)[0]!.split('.').at(-1)!.toLowerCase()
  return Object.hasOwn(BY_EXTENSION, extension) ? BY_EXTENSION[extension] : undefined
}

/** A name for a file that has none: some services tell the type of a file from its extension. */
export function nameOfType(mimeType: string): string {
  const known = Object.entries(BY_EXTENSION).find(([, type]) => type === mimeType)
  return known === undefined ? 'file' : `file.${known[0]}`
}
