import type { Tool } from 'toolsearch'
import { FIELDED_WEIGHTS } from '../../packages/toolsearch/src/ranking/fielded-weights.ts'
import { type FieldKind, toolFields } from '../../packages/toolsearch/src/ranking/tool-fields.ts'

/** A tool as the peers index it: one property per field, with the same text as ours. */
export type PeerDocument = { id: string } & Record<FieldKind, string>

export const FIELD_KINDS: FieldKind[] = Object.keys(FIELDED_WEIGHTS.fields) as FieldKind[]

/** The weights of the fields, as in our own ranker. */
export const BOOSTS: Readonly<Record<FieldKind, number>> = Object.fromEntries(
  FIELD_KINDS.map((kind) => [kind, FIELDED_WEIGHTS.fields[kind].weight]),
) as Record<FieldKind, number>

const IDENTIFIERS: ReadonlySet<FieldKind> = new Set(['name', 'source', 'parameterName'])

export function peerDocument(tool: Tool): PeerDocument {
  const document = { id: tool.name } as PeerDocument
  for (const { kind, text } of toolFields(tool)) {
    document[kind] = IDENTIFIERS.has(kind) ? splitIdentifiers(text) : text
  }
  return document
}

/** `getUser_by-id` becomes `get User by id`: no peer splits identifiers by itself. */
function splitIdentifiers(identifiers: string): string {
  return identifiers
    .replace(/(\p{Ll})(?=\p{Lu})/gu, '$1 ')
    .replace(/[^\p{L}\p{N}\p{M}]+/gu, ' ')
    .trim()
}
