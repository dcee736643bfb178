import { Button, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import type { EventAddress } from './useAddress.ts'
import classes from './modes.module.css'

/** Which stream is replayed. */
export function ChooseStream({ stream = '', address }: { stream: string | undefined; address: EventAddress }) {
  const [typed, type] = useState(stream)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const name = typed.trim()
    // A number alone is that of a job.
    if (name) address.show('replay', /^\d+$/.test(name) ? `job-${name}` : name)
  }
  return (
    <form className={classes.choose} onSubmit={submit}>
      <TextInput
        label="Job or setting"
        placeholder="job-42"
        value={typed}
        onChange={({ currentTarget }) => type(currentTarget.value)}
      />
      <Button type="submit" disabled={typed.trim() === ''}>
        Replay
      </Button>
    </form>
  )
}
