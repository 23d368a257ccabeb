import type { ToolCallReport } from '../../../api/contract.ts'
import { asSchema } from '../../../parts/schema-rows.ts'

type CallResult = ToolCallReport['result']

/** A part of a result, as it is shown. */
export type ResultBlock =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'json'; readonly value: unknown }
  | { readonly kind: 'table'; readonly columns: readonly string[]; readonly rows: readonly Row[] }
  | { readonly kind: 'image' | 'audio'; readonly url: string; readonly type: string }
  | { readonly kind: 'link'; readonly uri: string; readonly name: string; readonly note?: string }

type Row = Readonly<Record<string, unknown>>

const MAX_COLUMNS = 12

/** Splits a result into the blocks that a person sees: texts, tables, pictures, sound and links. */
export function resultBlocks({ content = [], structuredContent }: CallResult): ResultBlock[] {
  const blocks = content.flatMap(blockOf)
  // Servers repeat structured content as text, for older clients.
  const structured = structuredContent === undefined ? [] : [jsonBlock(structuredContent)]
  if (structured.length === 0) return blocks
  const others = blocks.filter(({ kind }) => kind !== 'json' && kind !== 'table')
  return [...others, ...structured]
}

function blockOf(block: NonNullable<CallResult['content']>[number]): ResultBlock[] {
  const { type, text, data, mimeType, uri, name, description } = block
  if (type === 'text' && typeof text === 'string') return [textBlock(text)]
  if ((type === 'image' || type === 'audio') && typeof data === 'string') {
    const media = mediaBlock(data, mimeType)
    if (media) return [media]
  }
  if (type === 'resource_link' && typeof uri === 'string') {
    return [
      {
        kind: 'link',
        uri,
        name: typeof name === 'string' ? name : uri,
        ...(typeof description === 'string' && { note: description }),
      },
    ]
  }
  if (type === 'resource') {
    const resource = asSchema(block.resource)
    if (typeof resource.text === 'string') return [textBlock(resource.text)]
    const media =
      typeof resource.blob === 'string' ? mediaBlock(resource.blob, resource.mimeType) : undefined
    if (media) return [media]
  }
  return [jsonBlock(block)]
}

/** Only base64 and the types that browsers play: anything else stays JSON. */
function mediaBlock(data: string, mimeType: unknown): ResultBlock | undefined {
  const [, kind] = /^(image|audio)\/[\w.+-]+$/.exec(String(mimeType)) ?? []
  if (kind === undefined || !/^[\w+/\s-]*={0,2}\s*$/.test(data)) return undefined
  const type = String(mimeType)
  return { kind: kind as 'image' | 'audio', url: `data:${type};base64,${data}`, type }
}

function textBlock(text: string): ResultBlock {
  if (!/^\s*[[{]/.test(text)) return { kind: 'text', text }
  try {
    return jsonBlock(JSON.parse(text))
  } catch {
    return { kind: 'text', text }
  }
}

function jsonBlock(value: unknown): ResultBlock {
  return tableOf(value) ?? { kind: 'json', value }
}

/** Rows with the same simple columns, also if they are the only field of an object. */
function tableOf(value: unknown): ResultBlock | undefined {
  const fields = Object.values(asSchema(value))
  const rows = Array.isArray(value) ? value : fields.length === 1 ? fields[0] : undefined
  if (!Array.isArray(rows) || rows.length === 0) return undefined
  const columns = Object.keys(asSchema(rows[0]))
  const isUniform = rows.every((row) => {
    const own = asSchema(row)
    const keys = Object.keys(own)
    return (
      keys.length === columns.length &&
      keys.every((key) => columns.includes(key)) &&
      Object.values(own).every((cell) => typeof cell !== 'object' || cell === null)
    )
  })
  if (!isUniform || columns.length === 0 || columns.length > MAX_COLUMNS) return undefined
  return { kind: 'table', columns, rows: rows as Row[] }
}
