/**
 * A proof for a suite that shares its machine: so few deliveries that each part lasts seconds. What it says of delays is
 * little, so their ratio has a limit that only a queue without turns exceeds.
 */
export const SMALL: readonly string[] = [
  ...['--requests', '16', '--hanging', '40', '--limited', '240', '--fanout', '300'],
  ...['--flood', '20', '--slots', '20', '--ratio', '40'],
];
