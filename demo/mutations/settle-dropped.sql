-- Broken on purpose: whatever an attempt came to, nothing is put on record.
CREATE OR REPLACE FUNCTION waybill.settle(p_items jsonb, p_worker text, p_now timestamptz DEFAULT NULL)
RETURNS TABLE (ord int, answer jsonb)
LANGUAGE plpgsql SET search_path = waybill, pg_catalog, pg_temp AS $$
DECLARE
  i jsonb; o waybill.obligations; g waybill.gates;
BEGIN
  FOR ord, i IN SELECT t.n, t.j FROM jsonb_array_elements(p_items) WITH ORDINALITY t (j, n) LOOP
    SELECT * INTO o FROM obligations WHERE key = i ->> 'key';
    SELECT * INTO g FROM gates WHERE subscriber_id = o.subscriber_id;
    answer := jsonb_build_object('answer', 'settled',
      'standing', standing_of(o, g, coalesce(p_now, clock_timestamp())));
    RETURN NEXT;
  END LOOP;
END $$;
