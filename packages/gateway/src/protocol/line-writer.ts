import type { Writable } from 'node:stream'

/**
 * Writes lines to a stream. Batches the lines of one turn of the event loop into a single system call.
 */
export function createLineWriter(stream: Writable): (line: string) => void {
  let waiting = ''
  const flush = () => {
    const text = waiting
    waiting = ''
    stream.write(Buffer.from(text))
  }
  return (line) => {
    if (waiting === '') process.nextTick(flush)
    waiting += `${line}\n`
  }
}
