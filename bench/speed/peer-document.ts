import type { Tool } from 'toolsearch'
import { FIELDED_WEIGHTS } from '../../packages/toolsearch/src/ranking/fielded-weights.ts'
import { type FieldKind, toolFields } from '../../packages/toolsearch/src/ranking/tool-fields.ts'

/** A tool as the peers index it: the texts of our fields, one property each. */
export type PeerDocument = { id: string } & Record<FieldKind, string>

export const FIELD_KINDS: FieldKind[] = Object.keys(FIELDED_WEIGHTS.fields) as FieldKind[]

/** What a word is worth by field, as in our own ranker. */
export const BOOSTS: Readonly<Record<FieldKind, number>> = Object.fromEntries(
  FIELD_KINDS.map((kind) => [kind, FIELDED_WEIGHTS.fields[kind].weight]),
) as Record<FieldKind, number>

const IDENTIFIERS: ReadonlySet<FieldKind> = new Set(['name', 'source', 'parameterName'])

export function peerDocument(tool: Tool): PeerDocument {
  const document = { id: tool.name } as PeerDocument
  for (const { kind, text } of toolFields(tool)) {
    document[kind] = IDENTIFIERS.has(kind) ? apart(text) : text
  }
  return document
}

/** `getUser_by-id` as `get User by id`: no peer takes a written-together name apart by itself. */
function apart(identifiers: string): string {
  return identifiers
    .replace(/(\p{Ll})(?=\p{Lu})/gu, '$1 ')
    .replace(/[^\p{L}\p{N}\p{M}]+/gu, ' ')
    .trim()
}
