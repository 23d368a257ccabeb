import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import type { Finding } from '../../api/contract.ts'
import { useReloadOn } from '../../api/gateway-context.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { Decision, STILL_USED } from '../../parts/decision.tsx'
import { formatMany } from '../../parts/format.ts'
import { Panel } from '../../parts/panel.tsx'
import { Answered, Empty } from '../../parts/states.tsx'
import { ToolLink } from '../../parts/tool-link.tsx'
import { findingLabels } from './finding-labels.ts'

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
            {findingLabels[kind]}
          </span>
          {kind === 'changed' ? (
            <ChangedTool name={tool} message={message} />
          ) : (
            <p>
              {kind === 'setup' ? (
                message
              ) : (
                <>
                  <ToolLink name={tool} /> {message.replace(tool, '').trim()}
                </>
              )}
            </p>
          )}
        </li>
      ))}
    </ul>
  )
}

interface ChangedToolProps {
  readonly name: string
  readonly message: string
}

/** A changed tool: whether agents can still use it, what changed, and what to do about it. */
function ChangedTool({ name, message }: ChangedToolProps): JSX.Element {
  const [isOpen, setOpen] = useState(false)
  const answer = useAnswer(name, (client, signal) => client.tool(name, signal))
  useReloadOn(answer, 'tools')
  const withheld = answer.value?.withheld
  // The buttons below replace the command that the message names.
  const [what = message] = message.replace(name, '').split(' Review it')
  return (
    <div>
      <p>
        <ToolLink name={name} />{' '}
        {withheld?.message.replace(name, '').trim() ?? `${what.trim()} ${STILL_USED}`}
      </p>
      <button type="button" class="link" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        {isOpen ? 'Hide the change' : 'Review the change'}
        <span class="visually-hidden"> of {name}</span>
      </button>
      {isOpen && (
        <Answered answer={answer} what="the change">
          {(report) => (
            <Decision tool={report} onDecided={(next) => answer.update(() => next)} isBare />
          )}
        </Answered>
      )}
    </div>
  )
}
