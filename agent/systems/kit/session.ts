type Options<S> = {
  /** True for a session that has to be renewed; by default, none. */
  isOver?: (session: S) => boolean
  /** True for an error after which no sign-in is tried any more; by default, none. */
  isFinal?: (error: unknown) => boolean
}

/** A sign-in that requests share. The first one starts it with what it knows, and the others wait for it. */
export function newSession<S, C>(
  open: (context: C) => Promise<S>,
  { isOver = () => false, isFinal = () => false }: Options<S> = {},
) {
  let current: S | undefined
  let opening: Promise<S> | undefined
  let failure: Error | undefined

  const opened = async (context: C): Promise<S> => {
    try {
      return (current = await open(context))
    } catch (error) {
      if (isFinal(error)) failure = error as Error
      throw error
    } finally {
      opening = undefined
    }
  }
  return {
    /** The current session, or a new one. */
    async get(context: C): Promise<S> {
      if (current !== undefined && !isOver(current)) return current
      if (failure) throw failure
      return (opening ??= opened(context))
    },
    /** Drops a session that the server ended, unless another request has renewed it. */
    drop(session: S): void {
      if (current === session) current = undefined
    },
    /** Returns the session that has to be ended, if there is one. */
    async end(): Promise<S | undefined> {
      const ended = current ?? (await opening?.catch(() => undefined))
      current = undefined
      return ended
    },
  }
}
