import type { Icon } from '@tabler/icons-react'
import classes from './ChoiceCard.module.css'

type ChoiceCardProps = {
  icon: Icon
  title: string
  description: string
  /** Takes the focus when its dialog opens. */
  isFirst: boolean
  /** True for the choice of an earlier visit; undefined if choices are not kept. */
  isSelected?: boolean
  disabled?: boolean
  onSelect: () => void
}

/** Large button of one of few choices. */
export function ChoiceCard({ icon: Sign, title, description, isFirst, isSelected, ...props }: ChoiceCardProps) {
  const { disabled = false, onSelect } = props
  return (
    <button
      type="button"
      className={classes.card}
      {...(isFirst && { 'data-autofocus': true })}
      aria-pressed={isSelected}
      disabled={disabled}
      onClick={onSelect}
    >
      <Sign size={24} stroke={1.5} aria-hidden />
      <span>
        <b>{title}</b>
        <span className="muted small block">{description}</span>
      </span>
    </button>
  )
}
