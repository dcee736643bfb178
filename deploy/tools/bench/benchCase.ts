type Options = Record<string, number | string | boolean | string[]>
type Run<O> = { run(given: O): Promise<number | void> }['run']

/**
 * A benchmark: its options with their defaults, the option that can be given without its name, and its work. The work prints its
 * figures, and returns the exit code, if that is not 0. Each runs in a process of its own.
 */
export type Bench = { options: Options; positional?: string | undefined; run: Run<Options> }

export const defineBench = <O extends Options>({
  options,
  positional,
  run,
}: {
  options: O
  positional?: keyof O & string
  run: Run<O>
}): Bench => ({ options, positional, run })
