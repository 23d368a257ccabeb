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
  return <DiffLines lines={lines} />
}

/** Lines that were removed, added or stayed the same. */
export function DiffLines({
  lines,
}: {
  readonly lines: readonly Pick<DiffLine, 'kind' | 'text'>[]
}): JSX.Element {
  return (
    <pre class="diff">
      {lines.map((line, at) => (
        <Line key={at} line={line} />
      ))}
    </pre>
  )
}

function Line(props: { readonly line: Pick<DiffLine, 'kind' | 'text'> }): JSX.Element {
  const { kind, text: whole } = props.line
  const text = revealHidden(whole)
  if (kind === 'removed') return <del>{`− ${text}\n`}</del>
  if (kind === 'added') return <ins>{`+ ${text}\n`}</ins>
  return <span data-kind={kind}>{`  ${text}\n`}</span>
}
