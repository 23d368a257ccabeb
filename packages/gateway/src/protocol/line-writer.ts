import type { Writable } from 'node:stream'

/**
 * Writes lines to a stream. What is written in one turn of the event loop goes out together, so that
 * many messages at once cost one system call.
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
