import type { JSX } from 'preact'
import type { Finding } from '../../api/contract.ts'
import { formatMany } from '../../parts/format.ts'
import { Panel } from '../../parts/panel.tsx'
import { Empty } from '../../parts/states.tsx'
import { ToolLink } from '../../parts/tool-link.tsx'

const kinds: Record<Finding['kind'], string> = {
  changed: 'Changed',
  twin: 'Says the same',
  'no-description': 'No description',
  'long-description': 'Long description',
  'token-hog': 'Dear',
  shadowed: 'Same name',
}

/** So many are shown at once; the rest are a click away. */
const SHOWN = 8

export interface FindingsProps {
  readonly findings: readonly Finding[]
  /** How many tools were looked at. */
  readonly tools: number
}

export function Findings({ findings, tools }: FindingsProps): JSX.Element {
  const first = findings.slice(0, SHOWN)
  const rest = findings.slice(SHOWN, 200)
  return (
    <Panel title="Worth mending" aside={formatMany(findings.length, 'finding')}>
      {findings.length === 0 ? (
        <Empty title={tools === 0 ? 'No tools yet' : 'Nothing to mend'}>
          <p>
            {tools === 0
              ? 'What is hard to find or dear to have will be told here.'
              : 'Every tool can be told apart, says what it does, and costs a fair amount.'}
          </p>
        </Empty>
      ) : (
        <>
          <FindingList findings={first} />
          {rest.length > 0 && (
            <details>
              <summary>{formatMany(findings.length - SHOWN, 'more finding')}</summary>
              <FindingList findings={rest} />
            </details>
          )}
        </>
      )}
    </Panel>
  )
}

function FindingList({ findings }: { readonly findings: readonly Finding[] }): JSX.Element {
  return (
    <ul class="findings">
      {findings.map(({ kind, tool, message }) => (
        <li key={`${kind} ${tool}`}>
          <span class="tag" data-kind={kind}>
            {kinds[kind]}
          </span>
          <p>
            <ToolLink name={tool} /> {message.replace(tool, '').trim()}
          </p>
        </li>
      ))}
    </ul>
  )
}
