import type { Icon } from '@tabler/icons-react'
import type { ComponentType } from 'react'
import type { Bundle, Needs } from '#events/contract/needs.ts'
import type { ActionTarget } from './actionTarget.ts'

export type ActionContentProps = { target: ActionTarget; onClose: () => void }

/** An action on selected entries. */
export type SelectionAction = {
  id: string
  label: string
  icon: Icon
  /** The action is hidden without this permission. */
  needs: Needs
  /** The action is hidden if this bundle is not licensed. */
  bundle?: Bundle
  /** Reason why the action is disabled; undefined if it is enabled. Call `target` only if needed: it lists all entries. */
  disabledReason?: (target: () => ActionTarget, snapshot: { isNewest: boolean }) => string | undefined
} & ActionSurface

/**
 * A popover appears below the button, a dialog draws itself. Their contents receive the target at the time of the click, and load
 * when the button is used.
 */
type ActionSurface =
  | { surface: 'popover'; load: () => Promise<ComponentType<ActionContentProps>> }
  | { surface: 'dialog'; Content: ComponentType<ActionContentProps> }
