import type { ComponentChildren, JSX } from 'preact'
import { useId } from 'preact/hooks'

export interface PanelProps {
  readonly title: ComponentChildren
  /** Distinguishes panels with the same title for screen readers. */
  readonly of?: string | undefined
  /** Next to the title, at the end of its line. */
  readonly aside?: ComponentChildren
  readonly class?: string
  readonly children: ComponentChildren
}

/** A section of a view with a heading. */
export function Panel({ title, of, aside, class: name = '', children }: PanelProps): JSX.Element {
  const id = useId()
  return (
    <section class={`panel ${name}`} aria-labelledby={id}>
      <div class="panel-head">
        <h2 id={id}>
          {title}
          {of !== undefined && <span class="visually-hidden"> of {of}</span>}
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
