import { type ChildProcess, fork, type ForkOptions } from 'node:child_process'
import { on, once } from 'node:events'

type Calls = Record<string, (...input: never[]) => unknown>
type Call = { id: number; name: string; input: unknown[] }
type Reply = { id: number; result?: unknown; error?: string }

/** A process that runs the functions of a module. Values are sent as JSON. */
export type Child<C extends Calls> = {
  pid: number
  call<N extends keyof C & string>(name: N, ...input: Parameters<C[N]>): Promise<Awaited<ReturnType<C[N]>>>
  /** Lets the process end itself. Returns its exit code. */
  end(): Promise<number | null>
}

/** Starts a process with the functions that `serveCalls` gets in a program. */
export function startChild<C extends Calls>(program: URL, args: string[] = [], options: ForkOptions = {}): Child<C> {
  const child = fork(program, args, { execArgv: [], ...options })
  const waiting = new Map<number, PromiseWithResolvers<unknown>>()
  child.on('message', ({ id, result, error }: Reply) => {
    const call = waiting.get(id)
    waiting.delete(id)
    if (error === undefined) call?.resolve(result)
    else call?.reject(new Error(error))
  })
  child.once('exit', (code, signal) => {
    for (const { reject } of waiting.values()) reject(new Error(`${program.pathname} ended with ${code ?? signal}`))
  })
  let lastId = 0
  return {
    pid: child.pid ?? 0,
    call(name, ...input) {
      const call = Promise.withResolvers<unknown>()
      waiting.set(++lastId, call)
      child.send({ id: lastId, name, input } satisfies Call)
      return call.promise as ReturnType<Child<C>['call']> as never
    },
    end: () => ended(child),
  }
}

async function ended(child: ChildProcess): Promise<number | null> {
  if (child.exitCode === null && child.signalCode === null) {
    child.disconnect()
    await once(child, 'exit')
  }
  return child.exitCode
}

/** Serves functions to the process that started this one, until it disconnects; then `end` runs. */
export async function serveCalls(calls: Calls, end: () => unknown = () => {}): Promise<never> {
  for await (const [call] of on(process, 'message', { close: ['disconnect'] })) void answer(calls, call as Call)
  await end()
  process.exit()
}

async function answer(calls: Calls, { id, name, input }: Call): Promise<void> {
  const reply = await Promise.resolve()
    .then(() => calls[name]?.(...(input as never[])))
    .then(
      (result): Reply => ({ id, result }),
      (error: unknown): Reply => ({ id, error: error instanceof Error ? String(error.stack) : String(error) }),
    )
  process.send?.(reply)
}
