import type { ComponentChildren, JSX } from 'preact'
import { useId, useState } from 'preact/hooks'

export interface PanelProps {
  readonly title: ComponentChildren
  /** Distinguishes panels with the same title for screen readers. */
  readonly of?: string | undefined
  /** Next to the title, at the end of its line. */
  readonly aside?: ComponentChildren
  readonly class?: string
  /** Whether the heading opens and closes the panel. On narrow screens it starts closed. */
  readonly isCollapsible?: boolean
  readonly children: ComponentChildren
}

const isNarrow = () => matchMedia('(max-width: 900px)').matches

/** A section of a view with a heading. */
export function Panel(props: PanelProps): JSX.Element {
  const { title, of, aside, class: name = '', isCollapsible = false, children } = props
  const id = useId()
  const [isOpen, setOpen] = useState(() => !isCollapsible || !isNarrow())
  const heading = (
    <>
      {title}
      {of !== undefined && <span class="visually-hidden"> of {of}</span>}
    </>
  )
  return (
    <section class={`panel ${name}`} aria-labelledby={id} data-closed={!isOpen || undefined}>
      <div class="panel-head">
        <h2 id={id}>
          {isCollapsible ? (
            <button
              type="button"
              class="panel-toggle"
              aria-expanded={isOpen}
              onClick={() => setOpen(!isOpen)}
            >
              {heading}
            </button>
          ) : (
            heading
          )}
        </h2>
        {aside !== undefined && <div class="panel-aside">{aside}</div>}
      </div>
      {isOpen && children}
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
