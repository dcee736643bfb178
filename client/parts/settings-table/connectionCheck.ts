import { useEffect, useEffectEvent, useRef, useState } from 'react'
import type { EditTarget, Fields } from '#client/app/defineForm.ts'
import { toastFailure } from '#client/app/toasts/toasts.ts'
import type { FormState } from '#client/app/useSavedForm.ts'

/** Problems by field. */
export type Problems = Record<string, string>

/** A connection to an external system that a form describes. */
export type Connection<F = Fields, T = never> = {
  /** The fields that the check depends on. Problems disappear when one of them changes, and an edit of others is not checked. */
  keyOf(fields: F): unknown
  /** Has the agent that will use the connection try it. Resolves to problems by field. */
  check(fields: F, edited: EditTarget<T>): Promise<Problems>
}

type ConnectionCheck<F extends Fields> = {
  form: Pick<FormState<F>, 'values' | 'getValues' | 'getInputNode'>
  keyOf(fields: F): unknown
  check(fields: F): Promise<Problems>
}

/**
 * Checks the connection of a storage before it is saved. Problems are shown at their fields, and can be ignored. If the
 * check itself fails, a toast shows why, and that can be ignored, too.
 */
export function useConnectionCheck<F extends Record<string, unknown>>({ form, keyOf, check }: ConnectionCheck<F>) {
  const [found, setFound] = useState<{ key: string; problems: Problems }>()
  const ignored = useRef<string>(undefined)
  const [isChecking, setChecking] = useState(false)
  const keyNow = (fields: F) => JSON.stringify(keyOf(fields))
  const key = keyNow(form.values)
  const problems = found?.key === key ? found.problems : none
  const focusFirst = useEffectEvent((field: string) => form.getInputNode(field)?.focus())
  const first = Object.keys(problems)[0]
  useEffect(() => {
    if (first !== undefined && !isChecking) focusFirst(first)
  }, [first, isChecking])

  /** Resolves to the problems; undefined without any, or if they are ignored. */
  const run = async (): Promise<Problems | undefined> => {
    const fields = form.getValues()
    const key = keyNow(fields)
    if (ignored.current === key) return undefined
    setChecking(true)
    try {
      const problems = await check(fields)
      if (Object.keys(problems).length === 0) return undefined
      setFound({ key, problems })
      return problems
    } catch (error) {
      toastFailure(error)
      setFound({ key, problems: none })
      return none
    } finally {
      setChecking(false)
    }
  }
  const ignore = () => {
    ignored.current = key
    setFound(undefined)
  }
  return {
    run,
    isChecking,
    problems,
    /** Ignores the problems of the current fields. Undefined without any. */
    onIgnore: found?.key === key ? ignore : undefined,
  }
}

const none: Problems = {}

/** A form that also shows problems of a connection, until their fields change. */
export const withProblems = <F extends Record<string, unknown>>(
  form: FormState<F>,
  problems: Problems,
): FormState<F> => ({
  ...form,
  errors: { ...problems, ...form.errors },
  getInputProps: ((field: string, options: object) => {
    const props = form.getInputProps(field, options)
    return { ...props, error: props.error ?? problems[field] }
  }) as typeof form.getInputProps,
})
