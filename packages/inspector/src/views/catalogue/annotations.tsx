import type { JSX } from 'preact'
import type { McpTool } from '../../api/contract.ts'

const known: Record<string, readonly [whenTrue: string, whenFalse: string]> = {
  readOnlyHint: ['read-only', 'makes changes'],
  destructiveHint: ['may be destructive', 'not destructive'],
  idempotentHint: ['safe to repeat', 'repeating has further effects'],
  openWorldHint: ['accesses external systems', 'no access to external systems'],
}

/** The annotations of a tool. They come from the server, and nothing verifies them. */
export function Annotations({ definition }: { readonly definition: McpTool }): JSX.Element {
  const annotations = Object.entries((definition.annotations ?? {}) as object)
  if (annotations.length === 0) {
    return <p class="muted">No annotations: treated as destructive.</p>
  }
  return (
    <dl class="facts">
      {annotations.map(([key, value]) => [
        <dt key={`${key} name`}>
          <code>{key}</code>
        </dt>,
        <dd key={key}>{annotationText(key, value)}</dd>,
      ])}
    </dl>
  )
}

function annotationText(key: string, value: unknown): string {
  const texts = known[key]
  if (texts !== undefined && typeof value === 'boolean') return texts[value ? 0 : 1]
  return typeof value === 'string' ? value : JSON.stringify(value)
}
