import type { ComponentChildren, JSX } from 'preact'
import type { SampleSession } from '../api/contract.ts'
import { useAnswer } from '../api/use-answer.ts'
import { useOverview } from '../overview-context.ts'
import { formatRoute, type Route } from '../routes/route.ts'
import { CopyButton } from './copy-button.tsx'
import { Icon } from './icon.tsx'
import { Answered } from './states.tsx'

/** Whether the view shows the sample session instead of real activity. */
export function hasSample({ params }: Route): boolean {
  return params.sample !== undefined
}

export interface SampleProps {
  readonly route: Route
  readonly children: (sample: SampleSession) => JSX.Element
}

/** A view of the sample session, marked as such. */
export function Sample({ route, children }: SampleProps): JSX.Element {
  const answer = useAnswer('sample', (client, signal) => client.sample(signal))
  return (
    <>
      <SampleNote route={route} />
      <Answered answer={answer} what="the sample">
        {children}
      </Answered>
    </>
  )
}

/** Marks a view that shows the sample session, with the way back. */
function SampleNote({ route }: { readonly route: Route }): JSX.Element {
  return (
    <div class="sample-note" role="note">
      <p>
        <b>Sample data.</b> This activity is made up from your tools. Nothing of it happened.
      </p>
      <a class="button" href={formatRoute(route.view)}>
        Hide the sample
      </a>
    </div>
  )
}

export interface NoActivityProps {
  readonly route: Route
  readonly title: string
  /** What will appear in this view. */
  readonly children: ComponentChildren
}

/** An empty view: what will appear there, how to connect a client, and a sample to look at. */
export function NoActivity({ route, title, children }: NoActivityProps): JSX.Element {
  const { value } = useOverview()
  return (
    <section class="panel no-activity" aria-label={title}>
      <div>
        <h2>{title}</h2>
        <p class="muted">{children}</p>
        <p>
          <a class="button" href={formatRoute(route.view, { sample: '1' })}>
            Show a sample session <Icon name="arrow" />
          </a>
        </p>
      </div>
      {value !== undefined && (
        <div>
          <div class="panel-head">
            <h3>Connect a client</h3>
            <CopyButton text={value.snippet} what="the client configuration" />
          </div>
          <p class="muted">
            Add this to your client's MCP configuration, or run <code>toolsearch import</code>.
          </p>
          <pre class="snippet">{value.snippet}</pre>
        </div>
      )}
    </section>
  )
}
