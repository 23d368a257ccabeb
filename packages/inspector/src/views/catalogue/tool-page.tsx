import type { JSX } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import type { ToolReport } from '../../api/contract.ts'
import { useReloadOn } from '../../api/gateway-context.ts'
import { useAnswer } from '../../api/use-answer.ts'
import type { ViewProps } from '../../app.tsx'
import { BreakableName } from '../../parts/breakable-name.tsx'
import { CopyButton } from '../../parts/copy-button.tsx'
import { Decision } from '../../parts/decision.tsx'
import { formatCount, formatMany } from '../../parts/format.ts'
import { Icon } from '../../parts/icon.tsx'
import { Promotion } from '../../parts/promotion.tsx'
import { revealHidden } from '../../parts/reveal-hidden.ts'
import { SchemaView } from '../../parts/schema-view.tsx'
import { ServerMark } from '../../parts/server-mark.tsx'
import { Answered } from '../../parts/states.tsx'
import { formatRoute } from '../../routes/route.ts'
import { Annotations } from './annotations.tsx'
import { describeAccess } from './describe-access.ts'
import { LearnedRequests } from './learned-requests.tsx'
import { SkillContents } from './skill-contents.tsx'
import { ToolActions } from './tool-actions.tsx'
import { ToolHistory } from './tool-history.tsx'
import { effectLabels } from './tool-row.tsx'

export interface ToolPageProps extends ViewProps {
  readonly name: string
}

export function ToolPage({ name, route }: ToolPageProps): JSX.Element {
  const answer = useAnswer(name, (client, signal) => client.tool(name, signal))
  const { update } = answer
  useReloadOn(answer, 'tools')
  return (
    <>
      <a class="back" href={formatRoute('catalogue', { ...route.params, tool: undefined })}>
        <Icon name="back" /> All tools
      </a>
      <Answered answer={answer} what={name}>
        {(tool) => <ToolDetails tool={tool} onDecided={(next) => update(() => next)} />}
      </Answered>
    </>
  )
}

interface ToolDetailsProps {
  readonly tool: ToolReport
  readonly onDecided: (tool: ToolReport) => void
}

function ToolDetails({ tool, onDecided }: ToolDetailsProps): JSX.Element {
  const { name, server, definition, originalName, searchHint } = tool
  const heading = useRef<HTMLHeadingElement>(null)
  const { inputSchema, outputSchema } = definition
  // Agents see the override, so people should too.
  const { override } = tool.settings
  const { title, description } = { ...definition, ...override }
  // Keep the focus in the list while a person moves through it with the keyboard.
  useEffect(() => {
    if (document.activeElement?.getAttribute('role') === 'listbox') return
    heading.current?.scrollIntoView({ block: 'nearest' })
  }, [])
  return (
    <article aria-labelledby="tool-title">
      <div class="tool-head">
        <h2 id="tool-title" ref={heading} class="tool-title">
          <BreakableName name={name} />
        </h2>
        <CopyButton text={name} what="the name" />
      </div>
      <p class="tool-facts">
        <ServerMark server={server} />
        <span>{formatMany(tool.tokens, 'token')}</span>
        {tool.skill ? (
          <span class="tag">skill</span>
        ) : (
          <span data-effect={tool.effect}>{effectLabels[tool.effect]}</span>
        )}
        <span>found {formatCount(tool.found)}×</span>
        {tool.skill === undefined && <span>called {formatCount(tool.called)}×</span>}
      </p>
      {tool.skill === undefined && <ToolActions tool={tool} />}
      <Decision tool={tool} onDecided={onDecided} />
      {override !== undefined && (
        <p class="muted">
          The configuration overrides: {Object.keys(override).join(', ')}. The definition of the
          server is below.
        </p>
      )}
      {typeof title === 'string' && title !== name && <p class="tool-sub">{revealHidden(title)}</p>}
      {typeof description === 'string' && description !== '' ? (
        <p class="description" dir="auto">
          {revealHidden(description)}
        </p>
      ) : (
        <p class="muted">No description, so a search can only match its name.</p>
      )}
      <Promotion tool={tool} />
      {tool.skill ? (
        <SkillContents name={name} skill={tool.skill} />
      ) : (
        <>
          <h3>Parameters</h3>
          <SchemaView schema={inputSchema} emptyText="No parameters." />
        </>
      )}
      {outputSchema !== undefined && (
        <>
          <h3>Output</h3>
          <SchemaView schema={outputSchema} emptyText="Not specified." />
        </>
      )}
      <h3>Access</h3>
      <ul class="plain">
        {describeAccess(tool).map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
      </ul>
      {tool.skill === undefined && (
        <>
          <h3>Annotations</h3>
          <Annotations definition={definition} />
        </>
      )}
      <dl class="facts">
        <dt>Source</dt>
        <dd>
          <code>{originalName}</code> on {server}
        </dd>
        {searchHint !== undefined && (
          <>
            <dt>Search hint</dt>
            <dd>{searchHint}</dd>
          </>
        )}
      </dl>
      <LearnedRequests tool={name} />
      <ToolHistory tool={tool} />
      <details>
        <summary>Original definition</summary>
        <pre class="raw">{revealHidden(JSON.stringify(definition, null, 2))}</pre>
      </details>
      <p>
        <a class="onward" href={formatRoute('search', { tool: name })}>
          Why is this {tool.skill ? 'skill' : 'tool'} not found? <Icon name="arrow" />
        </a>
      </p>
    </article>
  )
}
