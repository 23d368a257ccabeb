import type { ComponentChildren, JSX } from 'preact'
import { useMemo, useState } from 'preact/hooks'
import { failureText } from '../api/api-failure.ts'
import type { ConfigEdit } from '../api/contract.ts'
import { type Actions, ActionsContext, type Toast } from './actions-context.ts'
import { EditDialog } from './edit-dialog.tsx'
import { ToastArea } from './toast-area.tsx'

export function ActionsProvider({
  children,
}: {
  readonly children: ComponentChildren
}): JSX.Element {
  const [edit, setEdit] = useState<ConfigEdit>()
  const [shown, setShown] = useState<{ readonly toast: Toast; readonly number: number }>()
  const actions: Actions = useMemo(() => {
    const toast = (next: Toast) =>
      setShown((last) => ({ toast: next, number: (last?.number ?? 0) + 1 }))
    return {
      propose: setEdit,
      toast,
      async attempt(run) {
        try {
          const done = await run()
          if (done) toast(done)
          return true
        } catch (error) {
          toast({ text: failureText(error), isProblem: true })
          return false
        }
      },
    }
  }, [])
  return (
    <ActionsContext.Provider value={actions}>
      {children}
      {edit !== undefined && <EditDialog edit={edit} onClose={() => setEdit(undefined)} />}
      <ToastArea
        key={shown?.number}
        toast={shown?.toast}
        onDismiss={() => setShown(undefined)}
        onUndo={(undo) => actions.attempt(async () => ({ text: await undo() }))}
      />
    </ActionsContext.Provider>
  )
}
