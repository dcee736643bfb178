import { Button } from '@mantine/core'
import { type Incident, incidents, type MuteTime, muteTimes } from '#events/schedules/incidents.ts'
import { call } from '#client/app/call.ts'
import { toast, toastFailure } from '#client/app/toasts/toasts.ts'
import { useBusy } from '#client/app/useBusy.ts'
import { Dialog } from '#client/ui/form/Dialog.tsx'

/** Mutes the messages about one firing object; closed without one. */
export function MuteDialog({ muting, onClose }: { muting: Incident | undefined; onClose: () => void }) {
  const [busy, mute] = useBusy(async ({ id, text }: Incident, time: MuteTime) => {
    try {
      await call(incidents.mute, { params: { id }, body: { time } })
      toast({ kind: 'success', message: `Muted: ${text}. ${sentences[time]}` })
      onClose()
    } catch (error) {
      toastFailure(error)
    }
  })
  return (
    <Dialog opened={muting !== undefined} onClose={onClose} title="Mute messages">
      {muting && (
        <div className="stack gap-16">
          <p>{muting.text}. No messages are sent about it for this time. It stays in the list.</p>
          <div className="row wrap gap-8">
            {(Object.keys(muteTimes) as MuteTime[]).map((time, i) => (
              <Button
                key={time}
                variant="default"
                disabled={busy}
                {...(i === 0 && { 'data-autofocus': true })}
                onClick={() => mute(muting, time)}
              >
                {muteTimes[time]}
              </Button>
            ))}
          </div>
        </div>
      )}
    </Dialog>
  )
}

const sentences: Record<MuteTime, string> = {
  HOUR: 'Messages resume in 1 hour.',
  DAY: 'Messages resume in 1 day.',
  FIXED: 'Messages resume once this is fixed.',
}
