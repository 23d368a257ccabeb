/**
 * Settles when we are told to end, by a signal or, if there is one, by the end of the client's pipe.
 * Until then a signal ends nothing by itself: processes that we have started have to end first.
 */
export function shutdownSignal({ hasPipe }: { hasPipe: boolean }): Promise<void> {
  return new Promise((resolve) => {
    process.once('SIGINT', resolve)
    process.once('SIGTERM', resolve)
    if (hasPipe) process.stdin.once('close', resolve).once('end', resolve)
  })
}
