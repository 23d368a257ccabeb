import type { ComponentChildren, JSX } from 'preact'
import { useId, useLayoutEffect, useRef } from 'preact/hooks'

export interface DialogProps {
  readonly title: ComponentChildren
  /** Called for Escape, for a click outside and for a cancel button. */
  readonly onClose: () => void
  /** Buttons at the bottom, the main one last. */
  readonly actions?: ComponentChildren
  readonly class?: string
  readonly children: ComponentChildren
}

/** A modal dialog. The browser keeps the focus inside and gives it back afterwards. */
export function Dialog({
  title,
  onClose,
  actions,
  class: name = '',
  children,
}: DialogProps): JSX.Element {
  const id = useId()
  const box = useRef<HTMLDialogElement>(null)
  // Before the browser handles the next key: a person may type at once.
  useLayoutEffect(() => {
    const element = box.current!
    const opener = document.activeElement
    element.showModal()
    return () => {
      element.close()
      if (opener instanceof HTMLElement && opener.isConnected) opener.focus({ preventScroll: true })
    }
  }, [])
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes the dialog
    <dialog
      ref={box}
      class={`dialog ${name}`}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault()
        onClose()
      }}
      // A click on the backdrop targets the dialog itself, and no key does.
      onClick={(event) => event.target === event.currentTarget && onClose()}
    >
      <div class="dialog-body">
        <h2 id={id}>{title}</h2>
        {children}
        {actions !== undefined && <div class="dialog-actions">{actions}</div>}
      </div>
    </dialog>
  )
}
