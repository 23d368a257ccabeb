import type { ComponentChildren, JSX } from 'preact'
import { useId } from 'preact/hooks'

export interface PanelProps {
  readonly title: ComponentChildren
  /** Tells it from another of the same title, for those who cannot see where it stands. */
  readonly of?: string | undefined
  /** Beside the title, at the end of its line. */
  readonly aside?: ComponentChildren
  readonly class?: string
  readonly children: ComponentChildren
}

/** A part of a view with a heading of its own. */
export function Panel({ title, of, aside, class: name = '', children }: PanelProps): JSX.Element {
  const id = useId()
  return (
    <section class={`panel ${name}`} aria-labelledby={id}>
      <div class="panel-head">
        <h2 id={id}>
          {title}
          {of !== undefined && <span class="unseen"> of {of}</span>}
        </h2>
        {aside !== undefined && <div class="panel-aside">{aside}</div>}
      </div>
      {children}
    </section>
  )
}

export interface PageHeadProps {
  readonly title: string
  readonly children?: ComponentChildren
}

export function PageHead({ title, children }: PageHeadProps): JSX.Element {
  return (
    <div class="page-head">
      <h1 tabIndex={-1}>{title}</h1>
      {children !== undefined && <p class="page-lead">{children}</p>}
    </div>
  )
}
