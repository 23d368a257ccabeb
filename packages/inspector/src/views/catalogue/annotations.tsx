import type { JSX } from 'preact'
import type { McpTool } from '../../api/contract.ts'

const known: Record<string, readonly [whenTrue: string, whenFalse: string]> = {
  readOnlyHint: ['changes nothing', 'changes something'],
  destructiveHint: ['may destroy', 'does not destroy'],
  idempotentHint: ['can be repeated without harm', 'does it again when repeated'],
  openWorldHint: ['reaches the outside world', 'stays within its own'],
}

/** The annotations of a tool in words. They are its own claims, and nobody has checked them. */
export function Annotations({ definition }: { readonly definition: McpTool }): JSX.Element {
  const annotations = Object.entries((definition.annotations ?? {}) as object)
  if (annotations.length === 0) {
    return <p class="muted">It has no annotations, so it is taken for one that may destroy.</p>
  }
  return (
    <dl class="facts">
      {annotations.map(([key, value]) => [
        <dt key={`${key} name`}>
          <code>{key}</code>
        </dt>,
        <dd key={key}>{wordsOf(key, value)}</dd>,
      ])}
    </dl>
  )
}

function wordsOf(key: string, value: unknown): string {
  const words = known[key]
  if (words !== undefined && typeof value === 'boolean') return words[value ? 0 : 1]
  return typeof value === 'string' ? value : JSON.stringify(value)
}
