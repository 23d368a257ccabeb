import type { JSX } from 'preact'
import type { Finding } from '../../api/contract.ts'
import { formatMany } from '../../parts/format.ts'
import { Panel } from '../../parts/panel.tsx'
import { Empty } from '../../parts/states.tsx'
import { ToolLink } from '../../parts/tool-link.tsx'

const kinds: Record<Finding['kind'], string> = {
  setup: 'Configuration',
  changed: 'Changed',
  'invalid-schema': 'Invalid schema',
  twin: 'Same description',
  'no-description': 'No description',
  'long-description': 'Long description',
  'token-hog': 'Expensive',
  shadowed: 'Same name',
}

/** How many are visible before the list is expanded. */
const SHOWN = 8

export interface IssuesProps {
  readonly findings: readonly Finding[]
  /** Number of tools in the catalogue. */
  readonly tools: number
}

export function Issues({ findings, tools }: IssuesProps): JSX.Element {
  const first = findings.slice(0, SHOWN)
  const rest = findings.slice(SHOWN, 200)
  return (
    <Panel title="Issues" aside={formatMany(findings.length, 'issue')}>
      {findings.length === 0 ? (
        <Empty title={tools === 0 ? 'No tools yet' : 'No issues'}>
          <p>
            {tools === 0
              ? 'Tools that are hard to find or expensive will appear here.'
              : 'Every tool has a distinct description and a reasonable cost.'}
          </p>
        </Empty>
      ) : (
        <>
          <IssueList findings={first} />
          {rest.length > 0 && (
            <details>
              <summary>{formatMany(findings.length - SHOWN, 'more issue')}</summary>
              <IssueList findings={rest} />
            </details>
          )}
        </>
      )}
    </Panel>
  )
}

function IssueList({ findings }: { readonly findings: readonly Finding[] }): JSX.Element {
  return (
    <ul class="findings">
      {findings.map(({ kind, tool, message }) => (
        <li key={kind === 'setup' ? message : `${kind} ${tool}`}>
          <span class="tag" data-kind={kind}>
            {kinds[kind]}
          </span>
          <p>
            {kind === 'setup' ? (
              message
            ) : (
              <>
                <ToolLink name={tool} /> {message.replace(tool, '').trim()}
              </>
            )}
          </p>
        </li>
      ))}
    </ul>
  )
}
