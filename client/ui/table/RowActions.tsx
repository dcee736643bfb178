import { ActionIcon } from '@mantine/core'
import { IconHistory, IconPencil, IconPlayerPlay, IconSend, IconTrash, type Icon } from '@tabler/icons-react'
import type { ReactNode, Ref } from 'react'
import classes from './RowActions.module.css'

/** Actions of a row, in its last cell. */
export const RowActions = ({ children }: { children: ReactNode }) => <span className="inline gap-4">{children}</span>

/** The label includes the name of the row, for screen readers. */
type ActionProps = { label: string; onClick: () => void }

export const EditAction = ({ label, onClick, ref }: ActionProps & { ref?: Ref<HTMLButtonElement> }) => (
  <ActionIcon ref={ref} aria-label={label} title={label} onClick={onClick}>
    <IconPencil size={16} stroke={1.5} />
  </ActionIcon>
)

/** `whyNot` explains why an action is not possible now; the button stays focusable. */
type GuardedProps = ActionProps & { whyNot?: string | false }

type GuardedActionProps = GuardedProps & { icon: Icon; className?: string | undefined }

const GuardedAction = ({ label, onClick, whyNot, icon: Sign, className }: GuardedActionProps) => (
  <ActionIcon
    className={className}
    aria-label={label}
    aria-disabled={Boolean(whyNot)}
    title={whyNot || label}
    {...(whyNot ? { 'data-disabled': true } : { onClick })}
  >
    <Sign size={16} stroke={1.5} />
  </ActionIcon>
)

export const RunAction = (props: GuardedProps) => <GuardedAction {...props} icon={IconPlayerPlay} />
export const HistoryAction = (props: GuardedProps) => <GuardedAction {...props} icon={IconHistory} />
export const SendTestAction = (props: GuardedProps) => <GuardedAction {...props} icon={IconSend} />

export const RemoveAction = (props: GuardedProps) => (
  <GuardedAction {...props} icon={IconTrash} className={classes.remove} />
)
