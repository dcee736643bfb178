import { Button, NativeSelect } from '@mantine/core'
import { type ReactNode, useEffect, useRef } from 'react'
import { CallError } from '#client/app/call.ts'
import { FetchFailure } from '#client/ui/feedback/FetchFailure.tsx'
import type { Loadable } from '#client/ui/feedback/loadable.ts'
import { Notice } from '#client/ui/feedback/Notice.tsx'
import { Skeleton } from '#client/ui/feedback/Skeleton.tsx'

type ChoiceStepProps<T> = {
  label: string
  remote: Loadable<T[]>
  /** Message if there is nothing to choose from. */
  none: string
  keyOf: (choice: T) => string
  nameOf: (choice: T) => string
  /** Tells choices of the same name apart. */
  placeOf: (choice: T) => string
  value: string
  onChange: (key: string) => void
  /** More fields, shown once there are choices. */
  children?: ReactNode
}

/** Choice from a list that P5 servers provide. */
export function ChoiceStep<T>(props: ChoiceStepProps<T>) {
  const { remote, none } = props
  const { data, error, loading, retry } = remote
  if (error && !loading) return <FetchFailure error={error} {...messageOf(error)} retry={retry} />
  if (!data) return <Skeleton rows={2} />
  if (data.length === 0)
    return (
      <Notice
        step={
          <Button variant="default" loading={loading} onClick={retry}>
            Retry
          </Button>
        }
      >
        {none}
      </Notice>
    )
  return <Choice {...props} choices={data} />
}

/** Takes the focus when the choices have loaded. */
function Choice<T>(props: Omit<ChoiceStepProps<T>, 'remote' | 'none'> & { choices: readonly T[] }) {
  const { label, choices, keyOf, nameOf, placeOf, value, onChange, children } = props
  const select = useRef<HTMLSelectElement>(null)
  useEffect(() => select.current?.focus(), [])
  const isUnique = (name: string) => choices.filter((choice) => nameOf(choice) === name).length === 1
  const options = choices.map((choice) => {
    const name = nameOf(choice)
    return { value: keyOf(choice), label: isUnique(name) ? name : `${name} (${placeOf(choice)})` }
  })
  return (
    <>
      <NativeSelect
        ref={select}
        label={label}
        data={[{ value: '', label: `Choose a ${label.toLowerCase()}`, disabled: true }, ...options]}
        value={value}
        data-autofocus
        onChange={({ currentTarget }) => onChange(currentTarget.value)}
      />
      {children}
    </>
  )
}

/** 503: no agent answers, so the servers behind it are unknown. */
const messageOf = (error: Error) =>
  error instanceof CallError && error.status === 503
    ? { message: 'Something went wrong while trying to get servers. Please try again.' }
    : {}
