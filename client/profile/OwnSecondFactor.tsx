import { Button } from '@mantine/core'
import { useState } from 'react'
import { type NewSecondFactor, type SecondFactor, secondFactor } from '#events/users/secondFactor.ts'
import { call } from '#client/app/call.ts'
import { useRemote } from '#client/app/remote.ts'
import { loadSession } from '#client/app/session.state.ts'
import { toast } from '#client/app/toasts/toasts.ts'
import { useBusy } from '#client/app/useBusy.ts'
import { ConfirmedButton } from '#client/parts/deletion/ConfirmedButton.tsx'
import { RecoveryCodes } from '#client/parts/second-factor/RecoveryCodes.tsx'
import { SetUpSecondFactor } from '#client/parts/second-factor/SetUpSecondFactor.tsx'
import { Dialog } from '#client/ui/form/Dialog.tsx'
import { FormDialog } from '#client/ui/form/FormDialog.tsx'
import { Moment } from '#client/ui/values/Moment.tsx'

/** State of the user's second factor, with buttons that change it. */
export function OwnSecondFactor() {
  const { data, error, retry } = useRemote(secondFactor.show, {})
  const changed = () => {
    void loadSession()
    retry()
  }
  if (error) return <span className="muted">{error.message}</span>
  if (!data) return null
  return data.isOn ? <On factor={data} changed={changed} /> : <Off changed={changed} />
}

function Off({ changed }: { changed: () => void }) {
  const [made, setMade] = useState<NewSecondFactor>()
  const [busy, begin] = useBusy(async () => setMade(await call(secondFactor.begin, {})))
  // It may be on already when the dialog is closed.
  const close = () => {
    setMade(undefined)
    changed()
  }
  const done = () => {
    close()
    toast({ kind: 'success', message: 'The second factor is on; your other browsers were signed out' })
  }
  const cancel = (
    <Button variant="default" onClick={close}>
      Cancel
    </Button>
  )
  return (
    <div className="row wrap gap-8-16">
      <span className="muted">Off. With an authenticator app, a stolen password is not enough to sign in.</span>
      <Button variant="default" size="compact-sm" loading={busy} onClick={() => begin()}>
        Set up second factor
      </Button>
      <FormDialog opened={made !== undefined} onClose={close} title="Set up a second factor">
        {made && <SetUpSecondFactor made={made} onDone={done} beside={cancel} />}
      </FormDialog>
    </div>
  )
}

function On({ factor: { since, recoveryCodes, isRequired }, changed }: { factor: SecondFactor; changed: () => void }) {
  const [codes, show] = useState<string[]>()
  const [renewing, renew] = useBusy(async () => show((await call(secondFactor.renewCodes, {})).recoveryCodes))
  const done = () => {
    show(undefined)
    changed()
  }
  return (
    <div className="row wrap gap-8-16">
      <span>
        On
        {since && (
          <>
            {' '}
            since <Moment at={since} />
          </>
        )}
        , {codesLeft(recoveryCodes)}
      </span>
      <Button variant="default" size="compact-sm" loading={renewing} onClick={() => renew()}>
        New recovery codes
      </Button>
      {!isRequired && <TurnOff changed={changed} />}
      <Dialog opened={codes !== undefined} onClose={done} title="Recovery codes" holds>
        {codes && <RecoveryCodes codes={codes} onDone={done} />}
      </Dialog>
    </div>
  )
}

const codesLeft = (count: number) => (count === 1 ? '1 recovery code left' : `${count || 'no'} recovery codes left`)

const TurnOff = ({ changed }: { changed: () => void }) => (
  <ConfirmedButton
    label="Turn off"
    title="Turn off the second factor"
    verb="Turn off"
    act={async () => {
      await call(secondFactor.turnOff, {})
      changed()
      toast({ kind: 'success', message: 'The second factor is off' })
    }}
  >
    You sign in with your password alone, and your recovery codes stop working.
  </ConfirmedButton>
)
