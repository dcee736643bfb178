import { ActionIcon } from '@mantine/core'
import {
  type Icon,
  IconPlayerPause,
  IconPlayerPlay,
  IconPlayerSkipBack,
  IconPlayerSkipForward,
  IconPlayerTrackNext,
  IconPlayerTrackPrev,
} from '@tabler/icons-react'
import { type Speed, speeds, type Player } from './usePlayer.ts'
import classes from '#client/event-log/modes.module.css'

type PlayerControlsProps = { player: Player; index: number; count: number }

/** First, previous, play, next, last, and speed. */
export function PlayerControls({ player, index, count }: PlayerControlsProps) {
  const isFirst = index <= 0
  const isLast = index >= count - 1
  const { isPlaying, speed, setSpeed } = player
  return (
    <div className="row wrap gap-8" role="toolbar" aria-label="Player">
      <Step icon={IconPlayerSkipBack} label="Go to start" keys="Home" disabled={isFirst} onClick={player.toStart} />
      <Step icon={IconPlayerTrackPrev} label="Step back" keys="←" disabled={isFirst} onClick={player.back} />
      <Step
        icon={isPlaying ? IconPlayerPause : IconPlayerPlay}
        label={isPlaying ? 'Pause' : 'Play'}
        keys="Space"
        disabled={count < 2}
        onClick={player.toggle}
      />
      <Step icon={IconPlayerTrackNext} label="Step forward" keys="→" disabled={isLast} onClick={player.forward} />
      <Step icon={IconPlayerSkipForward} label="Go to end" keys="End" disabled={isLast} onClick={player.toEnd} />
      <Speeds speed={speed} onChoose={setSpeed} />
      <span className="push muted">{`${index + 1} of ${count}`}</span>
    </div>
  )
}

function Speeds({ speed, onChoose }: { speed: Speed; onChoose: (speed: Speed) => void }) {
  return (
    <fieldset className="flex gap-2" aria-label="Speed">
      {speeds.map((one) => (
        <button
          key={one}
          type="button"
          className={classes.speed}
          aria-pressed={one === speed}
          onClick={() => onChoose(one)}
        >
          {`${one}×`}
        </button>
      ))}
    </fieldset>
  )
}

type StepProps = { icon: Icon; label: string; keys: string; disabled: boolean; onClick: () => void }

const Step = ({ icon: Sign, label, keys, disabled, onClick }: StepProps) => (
  <ActionIcon variant="default" aria-label={label} title={`${label} (${keys})`} disabled={disabled} onClick={onClick}>
    <Sign size={16} stroke={1.5} />
  </ActionIcon>
)
