-- Least privilege. The application can't alter or delete an intent, an outcome or an audit row; a publisher can
-- publish and no more. Partitions are reached through their parents.

GRANT USAGE ON SCHEMA waybill TO waybill_app, waybill_publisher;

REVOKE EXECUTE ON ALL FUNCTIONS IN SCHEMA waybill FROM PUBLIC;
GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA waybill TO waybill_app;
GRANT EXECUTE ON FUNCTION waybill.publish TO waybill_publisher;

GRANT SELECT, INSERT, UPDATE ON
  waybill.subscribers, waybill.gates, waybill.subscriber_secrets, waybill.obligations TO waybill_app;
-- What was published is never altered: of an event only the marks of its fan-out are.
GRANT SELECT, INSERT, UPDATE (matched_at, obligation_count, started_at) ON waybill.events TO waybill_app;
GRANT SELECT, INSERT, UPDATE, DELETE ON waybill.outbox TO waybill_app;
GRANT SELECT, INSERT ON
  waybill.event_payloads, waybill.attempt_intents, waybill.attempt_outcomes, waybill.response_excerpts,
  waybill.audit, waybill.operator_requests TO waybill_app;
GRANT SELECT ON waybill.migrations TO waybill_app;
