import type { JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { Icon } from '../parts/icon.tsx'
import type { Toast } from './actions-context.ts'

const SHOWN_MS = 15_000

export interface ToastAreaProps {
  readonly toast: Toast | undefined
  readonly onDismiss: () => void
  readonly onUndo: (undo: () => Promise<string>) => void
}

/** Shows the latest toast. It stays while the pointer or the focus is on it, and problems stay until dismissed. */
export function ToastArea({ toast, onDismiss, onUndo }: ToastAreaProps): JSX.Element {
  const [isHeld, setHeld] = useState(false)
  useEffect(() => {
    if (toast === undefined || toast.isProblem || isHeld) return
    const timer = setTimeout(onDismiss, SHOWN_MS)
    return () => clearTimeout(timer)
  }, [toast, isHeld])
  const undo = toast?.undo
  return (
    <div class="toasts" role="status" aria-live="polite">
      {toast !== undefined && (
        <div
          class="toast"
          data-problem={toast.isProblem || undefined}
          onPointerEnter={() => setHeld(true)}
          onPointerLeave={() => setHeld(false)}
          onFocusCapture={() => setHeld(true)}
          onBlurCapture={() => setHeld(false)}
        >
          <p>
            {toast.text}{' '}
            {toast.link !== undefined && (
              <a href={toast.link.href} target="_blank" rel="noopener noreferrer">
                {toast.link.title}
              </a>
            )}
          </p>
          {undo !== undefined && (
            <button type="button" onClick={() => onUndo(undo)}>
              Undo
            </button>
          )}
          <button type="button" class="quiet" aria-label="Dismiss" onClick={onDismiss}>
            <Icon name="close" />
          </button>
        </div>
      )}
    </div>
  )
}
