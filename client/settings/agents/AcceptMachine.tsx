import { ActionIcon } from '@mantine/core'
import { IconDeviceDesktopCheck } from '@tabler/icons-react'
import { useState } from 'react'
import { acceptMachine, type Agent, type AgentInfo } from '#events/agents.ts'
import { call } from '#client/app/call.ts'
import { toast } from '#client/app/toasts/toasts.ts'
import { useBusy } from '#client/app/useBusy.ts'
import { Confirm } from '#client/ui/form/Confirm.tsx'

type AcceptMachineProps = { agent: Agent; info: AgentInfo | undefined; onDone: () => void }
type Question = { before: string; after: string; code: string }

/** Button that transfers an agent's key to the rejected machine, after a confirmation that names both machines. */
export function AcceptMachine({ agent: { id, name }, info, onDone }: AcceptMachineProps) {
  // Keeps the machines that were shown when the dialog opened.
  const [question, ask] = useState<Question>()
  const close = () => ask(undefined)
  const [busy, accept] = useBusy(async ({ code, after }: Question) => {
    await call(acceptMachine, { params: { id }, body: { code } })
    close()
    onDone()
    toast({ kind: 'success', message: `${name} now runs on ${after}` })
  })
  const refused = info?.refused
  return (
    <>
      {refused && !refused.isOutdated && (
        <ActionIcon
          aria-label={`Accept second machine of ${name}`}
          onClick={() =>
            ask({ before: info.machine ?? 'the previous machine', after: refused.machine, code: refused.code })
          }
        >
          <IconDeviceDesktopCheck size={16} stroke={1.5} />
        </ActionIcon>
      )}
      <Confirm
        opened={question !== undefined}
        title={`Accept second machine of ${name}`}
        verb="Accept machine"
        busy={busy}
        onCancel={close}
        onConfirm={() => question && accept(question)}
      >
        {question &&
          `${question.after} becomes the machine of agent ${name}. ${question.before} gets no more tasks, and its running scans end.`}
      </Confirm>
    </>
  )
}
