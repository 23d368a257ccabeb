import type { JSX } from 'preact'
import { useMemo } from 'preact/hooks'
import { type DiffLine, diffLines, jsonLines } from './diff-lines.ts'
import { revealHidden } from './reveal-hidden.ts'

export interface DiffViewProps {
  readonly before: unknown
  readonly after: unknown
}

/** Shows what changed between two definitions, line by line. */
export function DiffView({ before, after }: DiffViewProps): JSX.Element {
  const lines = useMemo(() => diffLines(jsonLines(before), jsonLines(after)), [before, after])
  return (
    <pre class="diff">
      {lines.map((line, at) => (
        <Line key={at} line={line} />
      ))}
    </pre>
  )
}

function Line({ line: { kind, text: whole } }: { readonly line: DiffLine }): JSX.Element {
  const text = revealHidden(whole)
  if (kind === 'removed') return <del>{`− ${text}\n`}</del>
  if (kind === 'added') return <ins>{`+ ${text}\n`}</ins>
  return <span data-kind={kind}>{`  ${text}\n`}</span>
}
