import type { JSX } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import type { ToolReport } from '../../api/contract.ts'
import { useReloadOn } from '../../api/gateway-context.ts'
import { useAnswer } from '../../api/use-answer.ts'
import type { ViewProps } from '../../app.tsx'
import { CopyButton } from '../../parts/copy-button.tsx'
import { formatCount, formatMany } from '../../parts/format.ts'
import { Icon } from '../../parts/icon.tsx'
import { revealHidden } from '../../parts/reveal-hidden.ts'
import { SchemaView } from '../../parts/schema-view.tsx'
import { ServerMark } from '../../parts/server-mark.tsx'
import { Answered } from '../../parts/states.tsx'
import { formatRoute } from '../../routes/route.ts'
import { accessWords } from './access-words.ts'
import { Annotations } from './annotations.tsx'
import { ToolHistory } from './tool-history.tsx'
import { effectWords } from './tool-row.tsx'

export interface ToolPageProps extends ViewProps {
  readonly name: string
}

export function ToolPage({ name, route }: ToolPageProps): JSX.Element {
  const answer = useAnswer(name, (client, signal) => client.tool(name, signal))
  const { amend } = answer
  useReloadOn(answer, 'tools')
  return (
    <>
      <a class="back" href={formatRoute('catalogue', { ...route.params, tool: undefined })}>
        <Icon name="back" /> All tools
      </a>
      <Answered answer={answer} what={name}>
        {(tool) => <ToolDetails tool={tool} onAccepted={(next) => amend(() => next)} />}
      </Answered>
    </>
  )
}

interface ToolDetailsProps {
  readonly tool: ToolReport
  readonly onAccepted: (tool: ToolReport) => void
}

function ToolDetails({ tool, onAccepted }: ToolDetailsProps): JSX.Element {
  const { name, server, definition, originalName, searchHint } = tool
  const heading = useRef<HTMLHeadingElement>(null)
  const { description, inputSchema, outputSchema, title } = definition
  // a person who opened it with the keyboard goes on reading here
  useEffect(() => {
    if (document.activeElement?.getAttribute('role') === 'listbox') return
    heading.current?.scrollIntoView({ block: 'nearest' })
  }, [])
  return (
    <article aria-labelledby="tool-title">
      <div class="tool-head">
        <h2 id="tool-title" ref={heading} class="tool-title">
          {name}
        </h2>
        <CopyButton text={name} what="the name" />
      </div>
      <p class="tool-facts">
        <ServerMark server={server} />
        <span>{formatMany(tool.tokens, 'token')}</span>
        <span data-effect={tool.effect}>{effectWords[tool.effect]}</span>
        <span>found {formatCount(tool.found)}×</span>
        <span>called {formatCount(tool.called)}×</span>
      </p>
      <ToolHistory tool={tool} onAccepted={onAccepted} />
      {typeof title === 'string' && title !== name && <p class="tool-sub">{revealHidden(title)}</p>}
      {typeof description === 'string' && description !== '' ? (
        <p class="description" dir="auto">
          {revealHidden(description)}
        </p>
      ) : (
        <p class="muted">It has no description: a search can only go by its name.</p>
      )}
      <h3>What it takes</h3>
      <SchemaView schema={inputSchema} nothing="Nothing." />
      {outputSchema !== undefined && (
        <>
          <h3>What it gives</h3>
          <SchemaView schema={outputSchema} nothing="It does not say." />
        </>
      )}
      <h3>Who may use it</h3>
      <ul class="plain">
        {accessWords(tool).map((words) => (
          <li key={words}>{words}</li>
        ))}
      </ul>
      <h3>What it says of itself</h3>
      <Annotations definition={definition} />
      <dl class="facts">
        <dt>Source</dt>
        <dd>
          <code>{originalName}</code> of {server}
        </dd>
        {searchHint !== undefined && (
          <>
            <dt>Search hint</dt>
            <dd>{searchHint}</dd>
          </>
        )}
      </dl>
      <details>
        <summary>Definition as the server gave it</summary>
        <pre class="raw">{revealHidden(JSON.stringify(definition, null, 2))}</pre>
      </details>
      <p>
        <a class="onward" href={formatRoute('search', { tool: name })}>
          Why is it not found? <Icon name="arrow" />
        </a>
      </p>
    </article>
  )
}
