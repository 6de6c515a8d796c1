import type { ObligationKey } from '../contract.js';
import type { SignalledAct } from '../activities/types.js';
import type { DeliveryPolicy } from '../policy/delivery-policy.js';
import type { Standing } from '../policy/standing.js';

/** What an obligation's workflow starts with: its key and its policy as data, never a payload or a URL. */
export interface ObligationInput {
  readonly key: ObligationKey;
  readonly policy: DeliveryPolicy;
  /** Unset for a first run; what a run that grew long hands to the next. */
  readonly carried?: Carried;
}

export interface Carried {
  readonly standing: Standing;
  /** When the standing's wait is over, epoch ms by workflow time. */
  readonly untilMs: number;
  readonly inbox: readonly SignalledAct[];
  readonly recheck: boolean;
  readonly told: readonly string[];
  readonly shown: string | null;
}
