/**
 * Reads server-sent events out of a stream of text: gives the data of each, whole, whatever pieces
 * it came in. Comments, names and numbers of events are passed over.
 */
export function createEventReader(give: (data: string) => void): (piece: string) => void {
  let rest = ''
  let data: string[] = []
  return (piece) => {
    const lines = (rest + piece).split(/\r\n|\n|\r(?!$)/)
    rest = lines.pop() ?? ''
    for (const line of lines) {
      if (line === '' && data.length > 0) {
        give(data.join('\n'))
        data = []
      } else if (line.startsWith('data:')) data.push(line.slice(5).replace(/^ /, ''))
    }
  }
}
