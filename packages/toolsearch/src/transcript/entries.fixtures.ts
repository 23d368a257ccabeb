import type { CallPart, Entry, Part, ResultPart, TextPart } from './entry.ts'

type Written = Omit<CallPart, 'native'> | Omit<ResultPart, 'native'> | Omit<TextPart, 'native'>

/** Entries of invented messages: each part is a block of its own. */
export function entriesOf(...messages: (readonly [Entry['role'], ...Written[]])[]): Entry[] {
  return messages.map(([role, ...written], at) => {
    const parts = written.map((part) => ({ ...part, native: { ...part } }) as Part)
    return { role, parts, native: { role, parts: parts.map(({ native }) => native) }, at }
  })
}

export function call(name: string, id?: string): Omit<CallPart, 'native'> {
  return { type: 'call', id, name, arguments: {} }
}

export function result(callId: string | undefined, name?: string): Omit<ResultPart, 'native'> {
  return { type: 'result', callId, ...(name && { name }), parts: [], isError: false }
}

export function text(value: string): Omit<TextPart, 'native'> {
  return { type: 'text', text: value }
}
